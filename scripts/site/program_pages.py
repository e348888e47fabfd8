"""The reference of the program: its manual pages, as it writes them, by mandoc."""

import os
import re
import subprocess

from places import ROOT

PROGRAM = os.environ.get("SPINNEY") or str(ROOT / "build/spinney")


def _manual(*command):
    text = subprocess.run([PROGRAM, "--man", *command], capture_output=True, check=True).stdout
    made = subprocess.run(["mandoc", "-T", "html", "-O", "fragment"], input=text, capture_output=True, check=True).stdout.decode()
    made = re.sub(r'<table class="(head|foot)">.*?</table>\n?', "", made, flags=re.DOTALL)
    made = re.sub(r'<a class="permalink" href="#[^"]*">(.*?)</a>', r"\1", made, flags=re.DOTALL)
    made = re.sub(r"<b>spinney-(\w+)</b>\s*\(1\)", r'<a href="../\1/"><b>spinney \1</b></a>', made)
    made = re.sub(r"<b>spinney</b>\s*\(1\)", '<a href="../"><b>spinney</b></a>', made)
    made = re.sub(r"<(/?)h2\b", r"<\1h3", made)
    return re.sub(r"<(/?)h1\b", r"<\1h2", made)


def _headings(html):
    """The headings of sections in ordinary case."""
    return re.sub(r"(<h2 [^>]*>)([A-Z][A-Z ]+)(</h2>)", lambda h: h[1] + h[2].capitalize() + h[3], html)


def commands():
    text = subprocess.run([PROGRAM, "--man"], capture_output=True, check=True, text=True).stdout
    found = re.findall(r"^\.BR spinney\\-(\w+) \(1\)$", text, re.MULTILINE)
    if len(found) < 10:
        raise ValueError("the manual page of spinney lists no commands")
    return list(dict.fromkeys(found))


def pages():
    """Name of the page: its Markdown."""
    first = _headings(_manual()).replace('href="../', 'href="')
    made = {"reference/program/README.md": f"# The program\n\n{first}\n"}
    for command in commands():
        made[f"reference/program/{command}.md"] = f"# spinney {command}\n\n{_headings(_manual(command))}\n"
    return made
