"""Undo, in a description of an ABI, the growth that the library allows: `ungrow.py OLD NEW > OUT`.

Members may come to the end of a struct that starts with its size, of one that is filled by a function
spn_..._sized, and of one that the library alone makes, which has a function spn_..._free or is named
below. OUT is NEW with such members cut off and the size of OLD, so that abidiff finds whatever else has
changed: members moved, a struct that holds the grown one, a member put into the padding, where its
presence cannot be told from the size."""
import sys
import xml.etree.ElementTree as xml

MADE_BY_THE_LIBRARY = {"spn_energy_kind", "spn_train_score"}


def structs(root):
    return {s.get("name"): s for s in root.iter("class-decl") if s.find("data-member") is not None}


def says_its_size(struct):
    return struct.find("data-member/var-decl").get("name") == "size"


def first_arguments(root, suffix):
    """The names of the structs that the first arguments of functions spn_...SUFFIX point to."""
    types = {t.get("id"): t for t in root.iter() if t.get("id")}
    for function in root.iter("function-decl"):
        if function.get("name").endswith(suffix):
            found = types[function.find("parameter").get("type-id")]
            while found.get("type-id"):
                found = types[found.get("type-id")]
            yield found.get("name")


def cut(struct, size):
    for member in struct.findall("data-member"):
        if int(member.get("layout-offset-in-bits")) >= size:
            struct.remove(member)
    struct.set("size-in-bits", str(size))


old, new = (xml.parse(path) for path in sys.argv[1:3])
before, after = structs(old.getroot()), structs(new.getroot())
growing = {name for name, struct in before.items() if says_its_size(struct)}
growing |= MADE_BY_THE_LIBRARY
for suffix in "_sized", "_free":
    growing |= set(first_arguments(old.getroot(), suffix))
for name in sorted(growing & before.keys() & after.keys()):
    size = int(before[name].get("size-in-bits"))
    if int(after[name].get("size-in-bits")) > size:
        cut(after[name], size)
        print(f"abi: {name} has grown", file=sys.stderr)
new.write(sys.stdout, encoding="unicode")
