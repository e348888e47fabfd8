"""CITATION.cff has what its format 1.2.0 asks for, and identifies the paper that spinney implements."""
import datetime
import re
import sys


def read(path):
    """Top-level keys and those of preferred-citation as texts: the few forms of YAML that the file uses."""
    top, paper, section = {}, {}, None
    for line in open(path, encoding="utf-8"):
        found = re.fullmatch(r"( *)([a-z-]+): *(.*)\n", line)
        if not found:
            continue
        indent, key, value = len(found[1]), found[2], found[3].strip('"')
        if indent == 0:
            section = key
            top[key] = value
        elif section == "preferred-citation" and indent == 2:
            paper[key] = value
    return top, paper


def need(condition, complaint):
    if not condition:
        sys.exit(f"citation: {complaint}")


text = open(sys.argv[1], encoding="utf-8").read()
top, paper = read(sys.argv[1])
for key in ("cff-version", "message", "title", "authors", "version", "date-released", "license"):
    need(key in top, f"no {key}")
need(top["cff-version"] == "1.2.0", "not of the format 1.2.0")
need(top["license"] == "MIT", "the licence is not LICENSE's")
need(datetime.date.fromisoformat(top["date-released"]) >= datetime.date(2026, 11, 15), "released before it was begun")
need(paper.get("title") == "Some Remarks on Replicated Simulated Annealing", "not the paper's title")
need(re.findall(r"family-names: (\w+)", text) == ["Gripon", "Löwe", "Vermet"], "not the paper's authors")
need(paper.get("year") == "2021" and paper.get("volume") == "182", "not the paper's year and volume")
need("arXiv:2009.14702" in text and "10.48550/arXiv.2009.14702" in text, "not the paper's identifiers")
try:
    import yaml
except ImportError:
    yaml = None
if yaml:
    whole = yaml.safe_load(text)
    need(str(whole["version"]) == top["version"], "read otherwise by a reader of YAML")
    kinds = {item["type"] for item in whole["preferred-citation"]["identifiers"]}
    need(kinds <= {"doi", "url", "swh", "other"}, "an identifier of a kind that the format has not")
print(f"citation: version {top['version']}, {paper['title']} ({paper['year']})")
