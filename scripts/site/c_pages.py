"""The reference of the C library: the comments of its public headers as Markdown, a page for each header."""

import re

from places import ROOT

_SKIPPED = re.compile(r"SPN_(BEGIN|END)_C$|#(?!define spn|define SPN)")
_LABEL = re.compile(r"([a-z]\w*(, [a-z]\w*)*|Errors): ")
_MACROS = {"SPN_NAMES": ("{0}_names", "{0}_name", "{0}_parse")}


def headers():
    return sorted((ROOT / "include/spinney").glob("*.h"))


def _declarations(code):
    """The lines of code without directives and without the bodies of inline functions."""
    lines = [line for line in code.split("\n") if not _SKIPPED.match(line)]
    text = "\n".join(lines)
    text = re.sub(r"^(static inline [^{;]*?)\n\{\n.*?^\}", r"\1;", text, flags=re.MULTILINE | re.DOTALL)
    return text.strip("\n")


def names_of(code):
    """The functions, types and constants that are declared."""
    bare = re.sub(r"/\*.*?\*/", "", code, flags=re.DOTALL)
    names = re.findall(r"^\} (spn_\w+);|^typedef [^({]*?\b(spn_\w+);|^typedef [^;{(]*?\(?\*?\b(spn_\w+)\)?\(", bare, re.MULTILINE)
    found = [name for each in names for name in each if name]
    for macro, name, rest in re.findall(r"^(SPN_NAMES|SPN_DEFAULTS)\((\w+)(?:,\s*(\w+))?", bare, re.MULTILINE):
        found += [made.format(name) for made in _MACROS.get(macro, ())] or [rest]
    found += re.findall(r"^#define (spn_\w+|SPN_\w+)", bare, re.MULTILINE)
    found += re.findall(r"^(?:SPN_API|static inline)[^(;]*?\b(spn_\w+)\(", bare, re.MULTILINE)
    return list(dict.fromkeys(found))


def _parts(text):
    """(comment, code) of a header's text: code ends at an empty line outside braces, or where a comment begins."""
    comment, code, depth, inside = [], [], 0, False
    for line in [*text.split("\n"), ""]:
        if code and depth == 0 and (not line.strip() or line.startswith("/*")):
            yield "\n".join(comment), "\n".join(code)
            comment, code = [], []
        if not code and comment and not line.strip() and "*/" in comment[-1]:
            yield "\n".join(comment), ""
            comment = []
        elif not code and (line.startswith("/*") or (comment and "*/" not in comment[-1])):
            comment = [line] if line.startswith("/*") else [*comment, line]
        elif line.strip() or code:
            code.append(line)
            bare, inside = _without_comments(line, inside)
            depth += sum(bare.count(c) for c in "{(") - sum(bare.count(c) for c in ")}")


def _without_comments(line, inside):
    """A line of code, and whether a comment goes on in the next."""
    if inside:
        line = "/*" + line
    bare = re.sub(r"/\*.*?\*/", "", line)
    return bare.partition("/*")[0], "/*" in bare


def items(text):
    """(comment, code, names) of what a header declares, in its order; the first has the header's own comment."""
    guard = re.compile(r"^#ifndef SPINNEY_\w+\n#define SPINNEY_\w+\n", re.MULTILINE)
    made = []
    for comment, lines in _parts(guard.sub("\n", text, count=1)):
        code = _declarations(lines)
        if comment or code:
            made.append((comment[2:].rstrip()[:-2], code, names_of(code)))
    return made


def _dedented(comment):
    lines = comment.strip("\n").split("\n")
    return [lines[0].strip(), *(line[3:] if line.startswith("   ") else line.strip() for line in lines[1:])]


def _prose(comment, known):
    """The comment as Markdown: indented lines stay as they are, names of the library become links."""
    made, block = [], ""
    for line in _dedented(comment.rstrip()):
        new = _kind(line, block)
        if made and line and block and new != block:
            made.append("")
        block = new
        if new == "code":
            made.append("    " + line.rstrip())
            continue
        if _LABEL.match(line) and made and made[-1] and new == "text":
            made[-1] += "  "  # a line of its own
        plain = re.sub(r"([*<\[\\])", r"\\\1", line)
        made.append(re.sub(r"`?\bspn_\w+\b`?", lambda name: _linked(name[0], known), plain))
    return "\n".join(made)


def _kind(line, block):
    """What a line of a comment belongs to: nothing, a list, code or text, after one of that kind."""
    if not line:
        return ""
    if line.startswith("- ") or block == "list":
        return "list"
    return "code" if line.startswith("  ") else "text"


def _linked(name, known):
    bare = name.strip("`")
    return f"[`{bare}`]({known[bare]}.md#{bare})" if bare in known else f"`{bare}`"


def _expanded(code):
    """Code with what SPN_DEFAULTS declares in its place."""
    def declared(found):
        changes = " ".join(found[3].replace("o.", "").split())
        return f"/* {changes + '; ' if changes else ''}otherwise zeros */\n{found[1]} {found[2]}(void);"
    return re.sub(r"^SPN_DEFAULTS\((\w+),\s*(\w+),\s*([^)]*)\)$", declared, code, flags=re.MULTILINE)


def _page(header, known):
    first, *rest = items(header.read_text(encoding="utf-8"))
    made = [f"# <spinney/{header.name}>".replace("<", "&lt;"), _prose(first[0], known)]
    for comment, code, names in rest:
        made.append(f"## {', '.join(names)} {{ #{names[0]} }}" if names else "")
        made.append("".join(f'<a id="{name}"></a>' for name in names[1:]))
        made.append(f"```c\n{_expanded(code)}\n```" if code else "")
        made.append(_prose(comment, known))
    return "\n\n".join(part for part in made if part) + "\n"


def _declared():
    """Every function of the headers, found without regard to how they are laid out."""
    text = "".join(header.read_text(encoding="utf-8") for header in headers())
    text = re.sub(r"^#define.*?[^\\]$", "", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL), flags=re.MULTILINE | re.DOTALL)
    return set(re.findall(r"^SPN_API[^;(]*?(spn_\w+)\(", text, re.MULTILINE))


def _first_sentence(comment):
    text = re.sub(r" \([^()]*\)", "", " ".join(" ".join(_dedented(comment)).split()))
    return re.sub(r"([*<|])", r"\\\1", re.split(r"\.(?: |$)", text)[0])


def pages():
    """Name of the page: its Markdown."""
    known = {name: header.stem for header in headers() for _, _, names in items(header.read_text(encoding="utf-8"))
             for name in names}
    missing = _declared() - known.keys()
    if missing:
        raise ValueError(f"the reference of C has not {', '.join(sorted(missing))}")
    made = {f"reference/c/{header.stem}.md": _page(header, known) for header in headers()}
    rows = []
    for header in headers():
        comment = items(header.read_text(encoding="utf-8"))[0][0]
        rows.append(f"| [`{header.name}`]({header.stem}.md) | {_first_sentence(comment)} |")
    made["reference/c/README.md"] = ("# The C library\n\nEvery declaration of the public headers, with the comment that "
                                     "stands at it.\n\n| header | what it has |\n|---|---|\n" + "\n".join(rows) + "\n")
    return made
