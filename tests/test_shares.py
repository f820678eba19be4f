"""The table of shares names files and series of tests that there are."""

from __future__ import annotations

import ast

from tests.support import ROOT
from tests.support.shares import SHARES
from tests.support.sources import tree_of


def test_what_is_named_is_there() -> None:
    for name in SHARES:
        file, _, series = name.partition("::")
        assert (ROOT / file).is_file(), name
        functions = [n.name for n in tree_of(ROOT / file).body if isinstance(n, ast.FunctionDef)]
        assert not series or series in functions, name
