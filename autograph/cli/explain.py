"""``autograph explain``: shows the page about a class of errors, or about a code of ``check``.

The pages lie in the package, in ``autograph/pages``; an error names its own.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re

from autograph.cli.outputs import read, show
from autograph.diagnostics.user_frame import PACKAGE_FOLDER
from autograph.lint import reports
from autograph.lint.codes import TABLE

OK, WRONG = 0, 2
FOLDER = os.path.join(PACKAGE_FOLDER, "pages")
INDEX = "README"
_MARK = re.compile(r"<!-- .*? -->\n")


def run(options: argparse.Namespace) -> int:
    """Show a page; return the exit code."""
    code = options.code
    if code is None:
        show(_page(INDEX))
    elif code.upper() in TABLE:
        show(reports.explained(TABLE[code.upper()]))
    elif (name := _name_of(code)) in names():
        show(_page(name))
    else:
        pages = [*names(), *TABLE]
        close = difflib.get_close_matches(name, pages, 1) or difflib.get_close_matches(
            code.upper(), pages, 1
        )
        meant = f", did you mean {close[0]}?" if close else ""
        options.parser.error(f"there is no page {code}{meant}; there are {', '.join(pages)}")
    return OK


def names() -> list[str]:
    """Return the names of the pages about errors, such as ``dtype_join``."""
    pages = (os.path.splitext(file)[0] for file in os.listdir(FOLDER) if file.endswith(".md"))
    return sorted(set(pages) - {INDEX})


def _name_of(code: str) -> str:
    """Return the page for a code: its name, its file or the class of errors."""
    name = os.path.splitext(os.path.basename(code))[0].removesuffix("Error")
    return (name if name.isupper() else re.sub("(?<!^)(?=[A-Z])", "_", name)).lower()


def _page(name: str) -> str:
    text = read(os.path.join(FOLDER, f"{name}.md")).decode()
    return _MARK.sub("", text)  # markers for the tests that run the blocks
