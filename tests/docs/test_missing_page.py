"""docs/missing.md says truly what is missing; `pytest --update-golden` writes it."""

from __future__ import annotations

import pytest

import runtime as tf
from runtime.types.absent_names import INSTEAD, tensorflow_names
from tests.docs.missing import page
from tests.support import ROOT

PAGE = ROOT / "docs" / "missing.md"


def test_page_is_up_to_date(request):
    text = page()
    if request.config.getoption("--update-golden"):
        PAGE.write_text(text, encoding="utf-8")
    assert PAGE.exists(), "write it with `pytest tests/docs --update-golden`"
    assert PAGE.read_text(encoding="utf-8") == text, "run `pytest tests/docs --update-golden`"


@pytest.mark.parametrize("name", sorted(INSTEAD))
def test_advice_is_for_names_of_tensorflow(name):
    module, _, last = name.rpartition(".")
    known = tensorflow_names()
    assert name in known or last in known.get(module, ()) or last in ("raw_ops", "LinearOperator")


def test_a_name_that_is_not_here_says_what_to_use():
    with pytest.raises(AttributeError, match=r"TensorFlow's tf\.lite is not here: export.native"):
        tf.lite
    with pytest.raises(AttributeError, match=r"'runtime\.keras'.*applications is not here"):
        tf.keras.applications
    with pytest.raises(AttributeError, match=r"tf\.linalg\.LinearOperatorDiag is not here: matr"):
        tf.linalg.LinearOperatorDiag
    with pytest.raises(AttributeError, match=r"no attribute 'multiplly'$") as raised:
        tf.math.multiplly
    assert "TensorFlow" not in str(raised.value)
    with pytest.raises(AttributeError, match=r"did you mean 'runtime.nn.relu'\?$"):
        tf.relu
