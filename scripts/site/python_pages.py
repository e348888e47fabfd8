"""The reference of the Python package: its public names with their signatures and docstrings, as Markdown."""

import inspect
import re
import sys
import textwrap

from places import ROOT

sys.path.insert(0, str(ROOT / "python/src"))
import spinney  # noqa: E402
from spinney import Result, _typed  # noqa: E402

GROUPS = (  # the page, its heading, and the modules whose names stand on it
    ("tasks", "Tasks and their results", ("tasks", "results", "_running")),
    ("energies", "Energies", ("energies", "data_energies", "callback", "chain")),
    ("problems", "Problems", ("problem", "expressions")),
    ("classifiers", "Classifiers and data", ("model", "classifier", "dataset")),
    ("sample-sets", "Sample sets and samplers", ("sampleset", "samplers")),
    ("experiments", "Experiments", ("experiments",)),
    ("errors", "Errors, and the library", ("errors", "_library")),
)
_PARAMETER = re.compile(r"[A-Za-z_]\w*(, [A-Za-z_]\w*)*: ")


def _docstring(text):
    """As Markdown: sessions in blocks, parameters as lists."""
    parts = re.split(r"\n\s*\n", inspect.cleandoc(text or ""))
    return "\n\n".join(_part(part) for part in parts)


def _part(text):
    if text.startswith(">>>"):
        return f"```pycon\n{text}\n```"
    text = re.sub(r"``([^`]+)``", r"`\1`", text)
    titled = re.match(r"(\w[^\n]*)\n---+\n", text)
    if titled:  # a section of a task, as NumPy's docstrings have them
        lines = re.sub(r"^(\w+) : (.*)\n {4}", r"- `\1` (\2): ", text[titled.end():], flags=re.MULTILINE)
        return f"**{titled[1]}**\n\n" + re.sub(r"^ {4}", "  ", lines, flags=re.MULTILINE)
    if _PARAMETER.match(text):
        lines = re.sub(r"^(?!- )", "  ", re.sub(r"^([A-Za-z_]\w*(, [A-Za-z_]\w*)*): ", r"- `\1`: ", text, flags=re.MULTILINE),
                       flags=re.MULTILINE)
        return re.sub(r"^ +", "  ", lines, flags=re.MULTILINE)
    return text


class _Bare:
    """A text that is shown without quotes."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


def _shown_type(annotation):
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return _Bare(re.sub(r"\b(?:spinney|numpy|results)\.(?:\w+\.)*", "", text).replace("'", ""))


def _signature(name, thing):
    try:
        made = inspect.signature(thing)
    except (TypeError, ValueError):
        return name
    given = [each for each in made.parameters.values() if each.name != "self"]
    if len(given) > 20:  # a task: its keywords are listed below
        return f"{name}({given[0].name}=None, *, setting=value, ...)"
    empty = inspect.Parameter.empty
    given = [each.replace(annotation=empty if each.annotation is empty else _shown_type(each.annotation),
                          default=_Bare("...") if each.default == 2**62 else each.default) for each in given]
    returns = made.return_annotation
    returns = empty if returns is empty or inspect.isclass(thing) else _shown_type(returns)
    text = name + str(made.replace(parameters=given, return_annotation=returns))
    return "\n".join(textwrap.wrap(text, 100, subsequent_indent="    ", break_on_hyphens=False, break_long_words=False))


def _members(thing):
    """The public members that a class adds to those of its public bases, in the order of the source."""
    found, known = {}, set()
    for base in reversed(inspect.getmro(thing)):
        if base is not thing and not base.__name__.startswith("_"):
            known.update(vars(base))
        if (base.__module__ or "").startswith("spinney"):
            found.update(vars(base))
    return {name: value for name, value in found.items()
            if not name.startswith("_") and name not in known and getattr(value, "__doc__", None)}


def _is_function(value):
    return inspect.isroutine(value) or isinstance(value, (classmethod, staticmethod))


def _attribute(name, value):
    text = _docstring(value.__doc__).replace("\n", "\n  ")
    return f"- **`{name}`**: {text.removeprefix('- ')}"


def _entry(name, thing):
    kind = "class " if inspect.isclass(thing) else ""
    made = [f"## {name} {{ #{name} }}"]
    if callable(thing) and not (kind and issubclass(thing, (BaseException, Result))):
        made.append(f"```python\n{kind}{_signature('spinney.' + name, thing)}\n```")
    made.append(_docstring(thing.__doc__))
    members = _members(thing) if kind else {}
    made += ["\n".join(_attribute(*each) for each in members.items()
                       if isinstance(each[1], property) or hasattr(each[1], "func"))]
    for member, value in members.items():
        if _is_function(value):
            shown = _signature(member, getattr(value, "__func__", value))
            made += [f"### {name}.{member} {{ #{name}.{member} }}", f"```python\n{shown}\n```", _docstring(value.__doc__)]
    return "\n\n".join(part for part in made if part)


def _module_of(name, thing, tasks):
    return "tasks" if name in tasks else getattr(thing, "__module__", "spinney._library").rpartition(".")[2]


def pages():
    """Name of the page: its Markdown."""
    names = [name for name in dir(spinney) if not name.startswith("_")]
    modules = {name: _module_of(name, getattr(spinney, name), _typed.__all__) for name in names}
    missing = [name for name in names if not any(modules[name] in group for _, _, group in GROUPS)]
    if missing:
        raise ValueError(f"the reference of Python has not {', '.join(missing)}")
    made, rows = {}, []
    for page, heading, group in GROUPS:
        inside = sorted((name for name in names if modules[name] in group),
                        key=lambda name: (inspect.isclass(getattr(spinney, name)), name.lower()))
        made[f"reference/python/{page}.md"] = "\n\n".join(
            [f"# {heading}", *(_entry(name, getattr(spinney, name)) for name in inside)]) + "\n"
        rows.append(f"| [{heading}]({page}.md) | {', '.join(f'[`{name}`]({page}.md#{name})' for name in inside)} |")
    made["reference/python/README.md"] = "\n".join([
        "# The Python package", "",
        "Every public name, with its docstring. [Everything from Python](../../python.md) shows how they work together. The",
        "keywords of tasks are [the settings of the program](../../settings.md).", "",
        "| page | names |", "|---|---|", *rows, ""])
    return made
