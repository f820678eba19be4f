"""docs/surface.md says truly which public names there are; `pytest --update-golden` writes it."""

from __future__ import annotations

import runtime
from tests.docs.surface import modules, names_of, page
from tests.support import ROOT

PAGE = ROOT / "docs" / "surface.md"


def test_page_is_up_to_date(request):
    text = page()
    if request.config.getoption("--update-golden"):
        PAGE.write_text(text, encoding="utf-8")
    assert PAGE.exists(), "write it with `pytest tests/docs --update-golden`"
    assert PAGE.read_text(encoding="utf-8") == text, "run `pytest tests/docs --update-golden`"


def test_every_public_module_is_listed():
    assert set(runtime._SUBMODULES) <= set(modules())
    assert all(names_of(module) or dir(module) for module in modules().values())
    assert "matmul" in names_of(runtime) and "math" not in names_of(runtime)
