"""Where a file of the repository is on the site, and its Markdown as Python-Markdown wants it.

The pages of docs/ keep their names. The first page is README.md; docs/README.md, the index of docs/, is the site's
navigation. The public headers are pages of reference/c. Every other file that a page links to is under source/: as it
is if it is a picture, else as a page that shows it.
"""

import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = "docs/"
FIRST = "index.md"
PICTURES = (".svg", ".png", ".pdf")
LANGUAGES = {".c": "c", ".h": "c", ".py": "python", ".sh": "sh", ".yaml": "yaml"}

_FENCE = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^()\s]+)\)")


def place(path):
    """Of a file of the repository; None for a folder, which has no page."""
    if path in ("README.md", "docs/README.md"):
        return FIRST
    if (ROOT / path).is_dir():
        return None
    if path.startswith(DOCS):
        return path[len(DOCS):]
    if path.startswith("include/spinney/") and path.count("/") == 2:
        return f"reference/c/{Path(path).stem}.md"
    return f"source/{path}" if path.endswith((".md", *PICTURES)) else f"source/{path}.md"


def outside_fences(text, change):
    """The text with all of it changed but blocks of code."""
    done, made = 0, []
    for fence in _FENCE.finditer(text):
        made += [change(text[done:fence.start()]), fence[0]]
        done = fence.end()
    return "".join([*made, change(text[done:])])


def links(text):
    """What a page links to, without what is in blocks of code and without other sites."""
    found = []
    outside_fences(text, lambda part: found.extend(link[2] for link in _LINK.finditer(part)) or "")
    return [link for link in found if "://" not in link and not link.startswith(("#", "mailto:"))]


def target(source, link):
    """The file of the repository that a link of the file `source` leads to, and the anchor."""
    path, _, anchor = link.partition("#")
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), path)), anchor


def _moved(source, here, found):
    words, link = found[1], found[2]
    if "://" in link or link.startswith(("#", "mailto:")):
        return found[0]
    path, anchor = target(source, link)
    there = place(path)
    if there is None:
        return words.strip("[]")
    relative = posixpath.relpath(there, posixpath.dirname(here) or ".")
    return f"{words}({relative}{'#' + anchor if anchor else ''})"


def _with_room(text):
    """Lists within paragraphs, which Python-Markdown knows only after an empty line."""
    item, lines = re.compile(r"(- |1\. )"), []
    for line in text.split("\n"):
        before = lines[-1] if lines else ""
        if item.match(line) and before and not before.startswith((" ", "- ", "|")) and not re.match(r"\d+\. ", before):
            lines.append("")
        lines.append(line)
    return "\n".join(lines)


def page(source, text):
    """The Markdown of a file of the repository, with links that lead to where things are on the site."""
    here = place(source)

    def change(part):
        return _with_room(_LINK.sub(lambda found: _moved(source, here, found), part))

    return outside_fences(text, change)


def slug(heading, separator="-"):
    """The anchor of a heading, as the forges make it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", separator)
