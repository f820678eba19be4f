"""Colours and fonts of drawings and pages, light and dark: one style sheet for all of them.

Plain rules without variables of CSS: programs that turn SVG into PDF do not know those.
"""

from __future__ import annotations

from autograph.drawing.diagram import VertexKind
from autograph.drawing.text_extent import LINE_SIZE, MONO, PORT_SIZE, SANS, TITLE_SIZE
from autograph.drawing.vertex_size import SMALL_TITLE

ROOT = "ag-drawing"
"""Class of the outermost element of a drawing; all rules are about what is inside of it."""

Colours = dict[str, str]

LIGHT: Colours = {
    "page": "#ffffff", "text": "#1c2733", "quiet": "#5c6b7a", "edge": "#8795a5",
    "frame": "#f6f8fa", "frame-line": "#d9e0e7", "marked": "#0b67c2", "lit": "#e3eefb",
    "kept": "#fbf0d6", "keyword": "#8a3b8f", "string": "#2d7a46", "number": "#a3500f",
}  # fmt: skip
DARK: Colours = {
    "page": "#14181e", "text": "#e4e9ef", "quiet": "#9aa8b7", "edge": "#7d8b9b",
    "frame": "#1a2028", "frame-line": "#303a46", "marked": "#6db3ff", "lit": "#1f3348",
    "kept": "#3d3218", "keyword": "#d29ad6", "string": "#8fce9f", "number": "#e6ac7a",
}  # fmt: skip

BOXES: dict[VertexKind, tuple[tuple[str, str], tuple[str, str]]] = {
    VertexKind.OPERATION: (("#edf1f6", "#c2cdd9"), ("#27303b", "#465362")),
    VertexKind.HEAVY: (("#dae7f7", "#8fb2de"), ("#1d3654", "#3d6699")),
    VertexKind.INPUT: (("#e1f1e6", "#95c5a6"), ("#1c3a2a", "#3c7555")),
    VertexKind.OUTPUT: (("#e8e5f4", "#b1a8d6"), ("#2f2b47", "#615894")),
    VertexKind.CONSTANT: (("#ffffff", "#c2cdd9"), ("#14181e", "#465362")),
    VertexKind.VARIABLE: (("#fbf0d6", "#ddbb6c"), ("#3d3218", "#826a2c")),
    VertexKind.EFFECT: (("#f9e4e0", "#dd9f95"), ("#44241f", "#87493f")),
    VertexKind.CONTROL: (("#ffffff", "#9fadbd"), ("#171c23", "#566575")),
    VertexKind.REFERENCE: (("#ffffff", "#d9e0e7"), ("#14181e", "#303a46")),
}
"""Fill and line of each kind of box, light and dark."""

_SHAPES = f"""\
.{ROOT} text {{ font-family: {SANS}; font-size: {TITLE_SIZE:g}px; text-anchor: middle; }}
.{ROOT} .title {{ font-weight: bold; }}
.{ROOT} .small {{ font-size: {SMALL_TITLE:g}px; }}
.{ROOT} .line, .{ROOT} .port {{ font-family: {MONO}; font-size: {LINE_SIZE:g}px; }}
.{ROOT} .port {{ font-size: {PORT_SIZE:g}px; text-anchor: start; }}
.{ROOT} .heading {{ text-anchor: start; }}
.{ROOT} .box > rect, .{ROOT} .frame > rect {{ stroke-width: 1; }}
.{ROOT} .edge path {{ fill: none; stroke-width: 1.2; }}
.{ROOT} .edge .tip {{ stroke: none; }}
.{ROOT} .after path {{ stroke-dasharray: 4 3; }}
.{ROOT} .toggle {{ font-size: 11px; }}
.{ROOT} [data-head], .{ROOT} [data-goes] {{ cursor: pointer; }}
.{ROOT} [data-head] > .frame {{ cursor: auto; }}
.{ROOT} .constant > rect, .{ROOT} .reference > rect {{ stroke-dasharray: 3 2; }}
"""


_PAGE = f"""\
body {{ margin: 0; font-family: {SANS}; font-size: 14px; }}
header {{ position: sticky; top: 0; left: 0; padding: 10px 16px; display: flex; gap: 14px;
  align-items: baseline; border-bottom: 1px solid; }}
h1 {{ font-size: 16px; margin: 0; }}
header p {{ margin: 0; }}
nav {{ margin-left: auto; display: flex; gap: 6px; }}
button {{ font: inherit; font-size: 12px; padding: 3px 9px; border: 1px solid; border-radius: 6px;
  cursor: pointer; }}
main {{ padding: 16px; overflow: auto; }}
body:has(main.viewer) {{ display: flex; flex-direction: column; height: 100vh; }}
main.viewer {{ flex: 1; padding: 0; min-height: 0; cursor: grab; }}
main.viewer > svg {{ display: block; margin: 0 auto; }}
header {{ flex-wrap: wrap; }}
nav {{ flex-wrap: wrap; align-items: baseline; }}
nav input {{ font: inherit; font-size: 12px; padding: 3px 9px; border: 1px solid;
  border-radius: 6px; width: 13em; }}
nav output {{ font-size: 12px; min-width: 5em; }}
.overview {{ position: fixed; right: 18px; bottom: 18px; border: 1px solid; border-radius: 6px;
  overflow: hidden; line-height: 0; cursor: crosshair; }}
.overview[hidden] {{ display: none; }}
.overview i {{ position: absolute; box-sizing: border-box; border: 2px solid; }}
"""


THEMES = {
    "light": ("body[data-jp-theme-light=true]", "body.vscode-light", "body[data-theme=light]"),
    "dark": ("body[data-jp-theme-light=false]", "body.vscode-dark", "html[theme=dark]",
             "body[data-theme=dark]"),
}  # fmt: skip
"""Marks of pages whose theme is not the reader's preference: JupyterLab, VS Code, Colab."""


def style() -> str:
    """Return the rules of CSS for drawings, dark where the reader prefers dark."""
    return _SHAPES + _rules(LIGHT, 0) + _in_the_dark(_rules(DARK, 1))


def themed_style() -> str:
    """Return the rules that let the theme of a notebook decide, which come after ``style``."""
    return _themed(_rules(LIGHT, 0), THEMES["light"]) + _themed(_rules(DARK, 1), THEMES["dark"])


def _themed(rules: str, marks: tuple[str, ...]) -> str:
    """Return rules that hold where one of the marks is around."""
    places = f":is({', '.join(marks)})"
    lines = []
    for line in rules.splitlines():
        selectors, brace, rest = line.partition(" {")
        inside = ", ".join(f"{places} {selector.strip()}" for selector in selectors.split(","))
        lines.append(f"{inside}{brace}{rest}\n")
    return "".join(lines)


def page_style() -> str:
    """Return the rules of CSS for the pages around drawings, light and dark as ``style``."""
    return _PAGE + _page_rules(LIGHT) + _in_the_dark(_page_rules(DARK))


_CODE = f"""\
main.code {{ display: grid; grid-template-columns: 1fr 1fr; gap: 16px; }}
main.code section {{ border: 1px solid; border-radius: 6px; overflow: auto; max-height: 86vh; }}
h2 {{ font-size: 12px; margin: 0; padding: 7px 12px; position: sticky; top: 0; left: 0; }}
main.code pre {{ margin: 0; padding: 6px 0 12px; font-family: {MONO}; font-size: 12.5px;
  line-height: 1.5; width: max-content; min-width: 100%; }}
main.code div {{ padding-right: 16px; }}
main.code div[data-line] {{ cursor: pointer; outline: none; }}
main.code i {{ font-style: normal; display: inline-block; padding: 0 14px 0 12px;
  user-select: none; }}
main.code b {{ font-weight: normal; }}
@media (max-width: 800px) {{ main.code {{ grid-template-columns: 1fr; }} }}
"""


def code_style() -> str:
    """Return the rules of CSS for listings of code, light and dark as ``style``."""
    return _CODE + _code_rules(LIGHT) + _in_the_dark(_code_rules(DARK))


def _code_rules(colours: Colours) -> str:
    c = colours
    lines = [
        f"main.code section {{ border-color: {c['frame-line']}; }}",
        f"h2 {{ background: {c['frame']}; color: {c['quiet']}; }}",
        f"main.code i, .comment {{ color: {c['quiet']}; }}",
        f".keyword {{ color: {c['keyword']}; }}",
        f".string {{ color: {c['string']}; }}",
        f".number {{ color: {c['number']}; }}",
        f".kept {{ background: {c['kept']}; }}",
        f".lit {{ background: {c['lit']}; }}",
    ]
    return "\n".join(lines) + "\n"


def notebook_style() -> str:
    """Return the rules of CSS for texts beside drawings in notebooks, in the notebook's colours."""
    notes = f".{ROOT}-notes"
    return (
        f"{notes} summary {{ cursor: pointer; }}\n"
        f"{notes} pre {{ margin: 4px 0 10px 18px; white-space: pre-wrap; }}\n"
    )


def _in_the_dark(rules: str) -> str:
    lines = "".join(f"  {line}\n" for line in rules.splitlines())
    return f"@media (prefers-color-scheme: dark) {{\n{lines}}}\n"


def _page_rules(colours: Colours) -> str:
    c = colours
    lines = [
        f"html {{ background: {c['page']}; color: {c['text']}; }}",
        f"header {{ background: {c['frame']}; border-color: {c['frame-line']}; }}",
        f"header p {{ color: {c['quiet']}; }}",
        f".overview {{ background: {c['page']}; border-color: {c['frame-line']}; }}",
        f".overview i {{ border-color: {c['marked']}; }}",
        f"button, nav input {{ background: {c['page']}; color: {c['text']}; "
        f"border-color: {c['frame-line']}; }}",
    ]
    return "\n".join(lines) + "\n"


def _rules(colours: Colours, number: int) -> str:
    c, root = colours, f".{ROOT}"
    lines = [
        f"{root} .page {{ fill: {c['page']}; }}",
        f"{root} text {{ fill: {c['text']}; }}",
        f"{root} .line, {root} .port, {root} .heading, {root} .toggle {{ fill: {c['quiet']}; }}",
        f"{root} .frame > rect {{ fill: {c['frame']}; stroke: {c['frame-line']}; }}",
        f"{root} .edge path {{ stroke: {c['edge']}; }}",
        f"{root} .edge .tip {{ fill: {c['edge']}; }}",
        f"{root} .marked path {{ stroke: {c['marked']}; }}",
        f"{root} .marked .tip {{ fill: {c['marked']}; }}",
        f"{root} .marked > rect {{ stroke: {c['marked']}; }}",
        f"{root} .hit > rect {{ stroke: {c['marked']}; stroke-width: 2.5; }}",
    ]
    for kind, pairs in BOXES.items():
        fill, line = pairs[number]
        lines.append(f"{root} .{kind.value} > rect {{ fill: {fill}; stroke: {line}; }}")
    return "\n".join(lines) + "\n"
