"""Emit every file of the standard library and parse it again: a command, not part of the suite.

    python tests/slow/roundtrip.py [FOLDER]

Prints each file whose tree came back changed; the exit code is the number of them, at most 99.
"""

from __future__ import annotations

import ast
import sys
import sysconfig
import tokenize
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).absolute().parents[2]))

from autograph.syntax.comments import comments_of
from autograph.syntax.emit import emit
from autograph.syntax.source import parse_module


def difference(path: Path) -> str | None:
    """What is wrong with the text emitted for a file; None when all is well or it has no tree."""
    try:
        with tokenize.open(path) as file:
            text = file.read()
        tree = ast.parse(text)
    except (SyntaxError, UnicodeDecodeError, ValueError):
        return None
    for comments in (None, comments_of(text)):
        emitted = emit(parse_module(text, str(path)), comments)
        try:
            again = ast.parse(emitted)
        except (SyntaxError, ValueError) as error:
            return f"does not parse: {error}"
        if ast.dump(again) != ast.dump(tree):
            return "another tree"
        if comments and (
            sorted(c.text for c in comments.values())
            != sorted(c.text for c in comments_of(emitted).values())
        ):
            return "other comments"
    return None


def main(folders: list[str]) -> int:
    """Check all files below the folders; the number of bad ones."""
    warnings.simplefilter("ignore")
    bad = count = 0
    for folder in folders or [sysconfig.get_path("stdlib")]:
        for path in sorted(Path(folder).rglob("*.py")):
            if "site-packages" in path.parts:
                continue
            count += 1
            try:
                found = difference(path)
            except RecursionError:
                found = "nested too deeply"
            if found:
                bad += 1
                print(f"{path}: {found}", flush=True)
    print(f"{count} files, {bad} bad")
    return min(bad, 99)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
