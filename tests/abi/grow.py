"""Let the structs of libspinney grow, in a copy of its source: `grow.py SOURCE`.

A slot comes to the end of the functions of an energy, a field to the end of the options of a chain and
of a snapshot. The library uses them: what is not 0 in the first two is refused, the third is filled."""
import re
import sys

source = sys.argv[1]


def change(path, pattern, replacement):
    path = f"{source}/{path}"
    with open(path) as file:
        text = file.read()
    text, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
    if count != 1:
        sys.exit(f"grow.py: {path} has {count} places like: {pattern}")
    with open(path, "w") as file:
        file.write(text)


def append(header, struct, member):
    change(f"include/spinney/{header}.h", rf"^}} {struct};", f"    {member};\n}} {struct};")


def refuse(path, defaults, what):
    change(path, rf"^( *)(.*spn_sized_take\(&(\w+),[^;]*\"{defaults}\", err\)\)?;)",
           rf"\1\2\n\1if (\3.added)"
           rf' return spn_fail(err, SPN_ERROR_ARGUMENT, "the added {what} is filled");')


append("energy", "spn_energy_ops", "void (*added)(void)")
append("chain", "spn_chain_options", "double added")
append("sampler", "spn_snapshot", "double added")
refuse("src/core/energy.c", "spn_energy_ops_defaults", "slot")
refuse("src/chain/create.c", "spn_chain_defaults", "field")
change("src/chain/snapshot.c", r"(\.proposals = chain->proposals)}", r"\1, .added = 1}")
