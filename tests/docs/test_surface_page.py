"""docs/surface.md says truly which public names there are; `pytest --update-golden` writes it."""

from __future__ import annotations

import runtime
from tests.docs.surface import MODULES, ours, page, theirs
from tests.support import ROOT

PAGE = ROOT / "docs" / "surface.md"


def test_page_is_up_to_date(request):
    text = page()
    if request.config.getoption("--update-golden"):
        PAGE.write_text(text, encoding="utf-8")
    assert PAGE.exists(), "write it with `pytest tests/docs --update-golden`"
    assert PAGE.read_text(encoding="utf-8") == text, "run `pytest tests/docs --update-golden`"


def test_there_are_many_of_tensorflows_names():
    names = theirs()
    assert tuple(names) == MODULES
    here = sum(len(ours(m).intersection(found)) for m, found in names.items())
    assert here >= 250
    assert len(ours("tensorflow").intersection(names["tensorflow"])) >= 150


def test_public_modules_are_compared():
    unknown = set(runtime._SUBMODULES) - set(MODULES) - {"array_api"}
    assert unknown <= {"test", "layers", "summary"}, f"add TensorFlow's names of {unknown}"
