"""Pages of the documentation site that are not in ``docs/``: a hook of MkDocs (mkdocs.yml).

The README is the first page.  What stands at the root of the checkout and the pages of errors join
in; the API reference is written from the docstrings of the public names.  Links to files that are
no pages become plain text: the site needs no other host.
"""

from __future__ import annotations

import inspect
import posixpath
import re
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from griffe import Docstring, Parser
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


@cache
def sources() -> dict[str, str]:
    """Return the pages from elsewhere: their paths in the site, and in the checkout."""
    pages = {"index.md": "README.md"}
    for name in ("LIMITATIONS", "CHANGELOG", "CONTRIBUTING", "SECURITY"):
        pages[f"{name.lower()}.md"] = f"{name}.md"
    for path in sorted((ROOT / "autograph" / "pages").glob("*.md")):
        name = "index.md" if path.name == "README.md" else path.name
        pages[f"errors/{name}"] = f"autograph/pages/{path.name}"
    return pages


def on_files(files: Files, config: Any) -> Files:
    """Add the pages."""
    for page, source in sources().items():
        text = (ROOT / source).read_text("utf-8")
        files.append(File.generated(config, page, content=text))
    for page, text in reference().items():
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Let links of a page lead to pages of the site."""
    here = page.file.src_uri
    source = sources().get(here, f"docs/{here}")
    pages = {place: name for name, place in sources().items()}

    def link(match: re.Match[str]) -> str:
        image, text, target = match.groups()
        path, mark, fragment = target.partition("#")
        if not path or ":" in path:
            return match[0]
        place = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        name = pages.get(place, place.removeprefix("docs/") if place.startswith("docs/") else "")
        if not name or files.get_file_from_path(name) is None:
            return f"`{place}`" if text in (path, place) else f"{text} (`{place}`)"
        new = posixpath.relpath(name, posixpath.dirname(here) or ".")
        return f"{image}[{text}]({new}{mark}{fragment})"

    return _outside_of_code(markdown, lambda text: _LINK.sub(link, text))


def _outside_of_code(markdown: str, change: Any) -> str:
    """Change what is no block of code."""
    blocks = re.split(r"(^```.*?^```$)", markdown, flags=re.S | re.M)
    return "".join(text if text.startswith("```") else change(text) for text in blocks)


# -- the API reference ----------------------------------------------------------------------------


def reference() -> dict[str, str]:
    """Return a page for each public module, and their list."""
    pages, rows = {}, []
    for title, module in modules().items():
        name = title.replace(".", "-")
        pages[f"api/{name}.md"] = module_page(title, module)
        rows.append(f"- [`{title}`]({name}.md): {_first_sentence(module)}")
    pages["api/index.md"] = "# API reference\n\n" + "\n".join(rows) + "\n"
    return pages


def modules() -> dict[str, ModuleType]:
    """Return the public modules by name."""
    import autograph
    import runtime

    modules: dict[str, ModuleType] = {"autograph": autograph, "runtime": runtime}
    pending = [("runtime", name) for name in runtime._SUBMODULES]
    while pending:
        parent, name = pending.pop()
        module = getattr(modules[parent], name, None)
        title = f"{parent}.{name}"
        if isinstance(module, ModuleType) and module.__name__ == title and title not in modules:
            modules[title] = module
            pending += [(title, inner) for inner in dir(module) if not inner.startswith("_")]
    return dict(sorted(modules.items()))


def module_page(title: str, module: ModuleType) -> str:
    """Return the page of a module: each name with its signature and docstring."""
    lines = [f"# {title}", "", _text(inspect.getdoc(module) or "")]
    for name in sorted(dir(module)):
        value = getattr(module, name, None)
        if name.startswith("_") or isinstance(value, ModuleType):
            continue
        lines += ["", f"## {name}", "", *_description(name, value)]
    return "\n".join(lines) + "\n"


def _description(name: str, value: Any) -> list[str]:
    if not callable(value):
        return [f"`{value!r}`" if len(repr(value)) < 80 else f"A `{type(value).__name__}`."]
    lines = ["```python", _signature(name, value), "```", "", _text(inspect.getdoc(value) or "")]
    if inspect.isclass(value):
        for method, function in sorted(vars(value).items()):
            if inspect.isfunction(function) and not method.startswith("_") and function.__doc__:
                lines += ["", f"### {name}.{method}", "", "```python"]
                lines += [_signature(method, function), "```", "", _text(inspect.getdoc(function))]
    return lines


def _signature(name: str, value: Any) -> str:
    try:
        text = f"{name}{inspect.signature(value)}"
    except (TypeError, ValueError):
        return name
    return re.sub(r" at 0x[0-9a-f]+", "", text.replace("'", ""))


def _first_sentence(module: ModuleType) -> str:
    doc = " ".join((inspect.getdoc(module) or "").split("\n\n")[0].split())
    return doc.partition(": ")[2] or doc


def _text(doc: str | None) -> str:
    """Return a docstring in Google's style as Markdown."""
    lines: list[str] = []
    separate = re.sub(r"\n(?=(Args|Returns|Yields|Raises):\n)", r"\n\n", doc or "")
    options = {"returns_multiple_items": False, "returns_named_value": False, "warnings": False}
    for section in Docstring(separate).parse(Parser.google, **options):
        value: Any = section.value
        if isinstance(value, str):
            lines += [_markdown(value), ""]
            continue
        if not isinstance(value, list):
            lines += [_markdown(str(getattr(value, "contents", value))), ""]
            continue
        lines += [f"**{section.kind.value.replace('_', ' ').capitalize()}**", ""]
        for entry in value:
            text = " ".join(str(getattr(entry, "description", entry)).split())
            name, annotation = getattr(entry, "name", ""), getattr(entry, "annotation", "")
            if section.kind.value == "returns":  # prose; the parser takes a part for a type
                term = f"{annotation}: " if annotation else ""
            else:
                term = f"`{name or annotation}`: "
            lines.append(f"- {term}{_markdown(text)}")
        lines.append("")
    return "\n".join(lines)


def _markdown(text: str) -> str:
    """Return reStructuredText's literals as those of Markdown: ``x``, and blocks after ``::``."""
    text = re.sub(r"``([^`]+)``", r"`\1`", text)
    return re.sub(r"::\n\n((?:    .*\n?|\n)+)", r":\n\n\1\n", text)
