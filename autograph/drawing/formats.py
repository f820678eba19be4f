"""Formats of drawings, by the suffix of a file's name.

PNG and PDF are made of the SVG by CairoSVG, which is an extra; directions other than from the top
to the bottom by the program ``dot`` of Graphviz.
"""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess

from autograph.drawing.diagram import Diagram
from autograph.drawing.dot import dot
from autograph.drawing.page import page
from autograph.drawing.svg import svg
from autograph.syntax.recursion_limit import deep

FORMATS = {".svg": svg, ".html": page, ".dot": dot, ".gv": dot}
PICTURES = {".png": "svg2png", ".pdf": "svg2pdf"}
"""Suffixes of pictures, and CairoSVG's function for each."""
DIRECTIONS = ("TB", "LR", "BT", "RL")
POINTS = 72


def suffix_of(path: str) -> str:
    """Return the suffix of a file that a drawing goes to; ValueError for an unknown one."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix in FORMATS or suffix in PICTURES:
        return suffix
    fault = f"the suffix {suffix!r} names no format of drawings" if suffix else "has no suffix"
    raise ValueError(
        f"{fault}; write .svg, .html, .dot, .png or .pdf. Browsers make other pictures "
        "of the SVG"
    )


def drawn(diagram: Diagram, suffix: str) -> str:
    """Return a diagram in a format of text; ValueError for an edge that cannot be drawn."""
    return deep(lambda: FORMATS[suffix](diagram))


def file_of(diagram: Diagram, suffix: str, rankdir: str = "TB", dpi: int = 96) -> bytes:
    """Return what a file of a drawing holds.

    ``rankdir`` is the direction, ``dpi`` the resolution of a PNG.  ModuleNotFoundError where a PNG
    or PDF needs CairoSVG, ValueError for a direction that needs Graphviz where it is not installed.
    """
    if suffix in (".dot", ".gv"):
        return deep(lambda: dot(diagram, rankdir)).encode()
    if rankdir != "TB":
        return _by_graphviz(deep(lambda: dot(diagram, rankdir)), suffix, rankdir, dpi)
    if suffix not in PICTURES:
        return drawn(diagram, suffix).encode()
    try:
        cairosvg = importlib.import_module("cairosvg")
    except (ModuleNotFoundError, OSError) as error:  # OSError: the library cairo is missing
        raise ModuleNotFoundError(
            f"a drawing as {suffix[1:].upper()} needs the package 'cairosvg' and the library cairo "
            f"({error}): pip install 'pyautograph[pictures]', or write .svg",
            name="cairosvg",
        ) from None
    convert = getattr(cairosvg, PICTURES[suffix])
    picture: bytes = convert(bytestring=drawn(diagram, ".svg").encode(), scale=dpi / 96)
    return picture


def _by_graphviz(text: str, suffix: str, rankdir: str, dpi: int) -> bytes:
    program = shutil.which("dot")
    if suffix == ".html" or program is None:
        hint = "" if suffix == ".html" else ", or install Graphviz, whose program 'dot' draws it"
        raise ValueError(f"rankdir={rankdir!r} of a {suffix} file: write a .dot file{hint}")
    command = [program, f"-T{suffix[1:]}", f"-Gdpi={dpi if suffix == '.png' else POINTS}"]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    if done.returncode:
        raise ValueError(f"Graphviz could not draw it: {done.stderr.decode(errors='replace')}")
    return done.stdout
