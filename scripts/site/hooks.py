"""What mkdocs does besides: pages made from the tables, headers and docstrings, and links that lead out of docs/."""

import os
import re
import sys
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

sys.path.insert(0, str(Path(__file__).parent))

import c_pages  # noqa: E402
import paper  # noqa: E402
import places  # noqa: E402
import program_pages  # noqa: E402
import python_pages  # noqa: E402

ROOT = places.ROOT
STYLE = ROOT / "scripts/site/site.css"
COLOURS = ROOT / "src/report/page/page.css"


def on_config(config, **_):
    config["mdx_configs"].setdefault("toc", {})["slugify"] = places.slug
    _section(config["nav"], "The C library").extend(
        {f"{header.stem}.h": f"reference/c/{header.stem}.md"} for header in c_pages.headers())
    return config


def _section(nav, title):
    """The pages of a section of the navigation, however deep it is."""
    inner = [(name, value) for each in nav if isinstance(each, dict) for name, value in each.items() if isinstance(value, list)]
    return next((found for name, value in inner if (found := value if name == title else _section(value, title))), None)


def _reached():
    """The files that README.md, CHANGELOG.md and the pages of docs/ link to, those that these link to, and so on."""
    found, new = set(), {"README.md", "CHANGELOG.md",
                         *(str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md"))}
    while new:
        found |= new
        pages = [path for path in new if path.endswith(".md")]
        new = {places.target(path, link)[0] for path in pages
               for link in places.links((ROOT / path).read_text(encoding="utf-8"))} - found
        missing = [path for path in new if not (ROOT / path).exists()]
        if missing:
            raise PluginError(f"a page links to {missing[0]}, which is not in the repository")
    return sorted(path for path in found if places.place(path))


def _shown(path):
    """The page of a file that is no Markdown."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return f"# {path}\n\n```{places.LANGUAGES.get(Path(path).suffix, 'text')}\n{text.rstrip()}\n```\n"


def _style():
    """The site's style sheet: the colours of a report's page, and what maps the theme to them."""
    blocks = re.findall(r"^:root \{.*?^\}$|^@media \(prefers-color-scheme: dark\) \{.*?^\}$", COLOURS.read_text(), re.M | re.S)
    if len(blocks) != 2:
        raise PluginError(f"{COLOURS} has no longer its colours in two blocks")
    return "\n".join([*blocks, STYLE.read_text()])


def _staged():
    """Name on the site: text, or the file to copy, of what is not in docs/."""
    made = {"style/site.css": _style(), **c_pages.pages(), **python_pages.pages(), **program_pages.pages()}
    for path in _reached():
        name = places.place(path)
        if path.startswith("docs/") or name in made:
            continue
        source = ROOT / path
        made[name] = source if path.endswith(places.PICTURES) else (
            places.page(path, source.read_text(encoding="utf-8")) if path.endswith(".md") else _shown(path))
    return made


def on_files(files, config, **_):
    stage = Path(config["site_dir"] + "-pages")
    for name, content in _staged().items():
        target = stage / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.read_bytes() if isinstance(content, Path) else content.encode())
        files.append(File(name, str(stage), config["site_dir"], config["use_directory_urls"]))
    index = files.get_file_from_path("README.md")  # of docs/: the navigation is that
    if index:
        files.remove(index)
    return files


def on_page_markdown(markdown, page, config, **_):
    path = os.path.relpath(page.file.abs_src_path, ROOT)
    if path.startswith("docs/"):
        markdown = places.page(path, markdown)
    return paper.page(markdown, page.meta) if "bibliography" in page.meta else markdown


def on_nav(nav, config, files, **_):
    """Every page of docs/ and of the reference can be reached by the navigation."""
    inside = {page.file.src_path for page in nav.pages}
    lost = [file.src_path for file in files.documentation_pages()
            if file.src_path not in inside and (file.src_path.startswith("reference/") or
                                                file.abs_src_path.startswith(config["docs_dir"] + os.sep))]
    if lost:
        raise PluginError(f"mkdocs.yml: the navigation has not {', '.join(sorted(lost))}")
    return nav
