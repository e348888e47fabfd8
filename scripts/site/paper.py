"""The paper as a page: its few formulas as text, its citations as links to the list of references."""

import re

from places import ROOT

_SIGNS = {"alpha": "α", "gamma": "γ", "beta": "β", "times": "×", "le": "≤", "ge": "≥", "pm": "±"}
_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def _formula(found):
    text = re.sub(r"\\([a-z]+)\s*", lambda sign: _SIGNS[sign[1]], found[1])
    text = re.sub(r"\^(?:\{([0-9-]+)\}|([0-9]))", lambda power: (power[1] or power[2]).translate(_RAISED), text)
    if re.search(r"[\\^_{}]", text):
        raise ValueError(f"the paper has a formula that the site cannot show: {found[0]}")
    return re.sub(r"[A-Za-zα-ω]", r"*\g<0>*", text)


def _references(name):
    """The entries of the bibliography: key, authors, and a line of Markdown."""
    text = (ROOT / "docs/paper" / name).read_text(encoding="utf-8")
    accents = {r"{\"o}": "ö", r"{\"u}": "ü", r"{\"a}": "ä", r"{\'e}": "é", "--": "–", "{": "", "}": ""}
    for key, body in re.findall(r"^@\w+\{(\w+),\n(.*?)^\}", text, re.MULTILINE | re.DOTALL):
        fields = {}
        for field, value in re.findall(r"^ +(\w+) = \{(.*?)\},?$", body, re.MULTILINE | re.DOTALL):
            for accent, letter in accents.items():
                value = value.replace(accent, letter)
            fields[field] = " ".join(value.split())
        authors = [" ".join(reversed(author.split(", "))) for author in fields["author"].split(" and ")]
        where = fields.get("journal") or fields.get("booktitle") or fields.get("publisher", "")
        volume = f" {fields['volume']}" if "volume" in fields else ""
        yield key, authors, fields["year"], f"{', '.join(authors)}. *{fields['title']}*. {where}{volume}, {fields['year']}."


def page(markdown, meta):
    references = {key: (authors, year, line) for key, authors, year, line in _references(meta["bibliography"])}

    def short(key):
        authors, year, _ = references[key]
        names = [author.split()[-1] for author in authors]
        who = names[0] if len(names) == 1 else " and ".join(names) if len(names) == 2 else f"{names[0]} et al."
        return who, year

    def bracketed(found):
        keys = re.findall(r"@(\w+)", found[0])
        return "(" + "; ".join(f"[{', '.join(short(key))}](#{key})" for key in keys) + ")"

    def named(found):
        who, year = short(found[1])
        return f"[{who} ({year})](#{found[1]})"

    text = re.sub(r"\$([^$\n]+)\$", _formula, markdown)
    text = re.sub(r"\[@\w+(?:; @\w+)*\]", bracketed, text)
    text = re.sub(r"(?<![\w.])@(\w+)", named, text)
    text = re.sub(r"^#", "##", text, flags=re.MULTILINE)
    rows = [f'- <a id="{key}"></a>{line}' for key, (_, _, line) in references.items()]
    return f"# {meta['title']}\n\n" + text.rstrip() + "\n\n" + "\n".join(rows) + "\n"
