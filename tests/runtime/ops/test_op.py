"""Rows: frozen, named once, pickled by name."""

import pickle

import pytest

import runtime as tf
from runtime.ops import op


def test_rows_are_frozen_and_unique():
    with pytest.raises(AttributeError, match="row of op 'add' is frozen"):
        tf.add.kernel = None
    with pytest.raises(ValueError, match="two rows for op 'add'"):
        op.define("add", kernel=None, infer=None)
    assert pickle.loads(pickle.dumps(tf.add)) is tf.add
    assert tf.add.__name__ == "add" and "x + y" in tf.add.__doc__


def test_missing_facets_say_why():
    hole = op.Missing("because")
    assert not hole and repr(hole) == "Missing('because')"


def test_every_row_states_its_facets():
    for name, row in op.TABLE.items():
        assert row.name == name and callable(row.kernel) and callable(row.infer)
        for facet in (row.grad, row.llvm):
            known = callable(facet) or isinstance(facet, op.Missing | str | tuple)
            assert facet is None or known, name
            assert not isinstance(facet, op.Missing) or facet.reason, name
        assert row.__doc__, name
