"""Rows: frozen, named once, pickled by name."""

import pickle

import pytest

import runtime as tf
from runtime.ops import op


def test_rows_are_frozen_and_unique():
    with pytest.raises(AttributeError, match="definition of op 'add' is frozen"):
        tf.add.kernel = None
    with pytest.raises(ValueError, match="two definitions of op 'add'"):
        op.define("add", kernel=None, infer=None)
    assert pickle.loads(pickle.dumps(tf.add)) is tf.add
    assert tf.add.__name__ == "add" and "Returns:" in tf.add.__doc__


def test_missing_fields_say_why():
    hole = op.Missing("because")
    assert not hole and repr(hole) == "Missing('because')"


def test_every_row_states_its_fields():
    for name, row in op.TABLE.items():
        assert row.name == name and callable(row.kernel) and callable(row.infer)
        for field in (row.grad, row.lower):
            known = callable(field) or isinstance(field, op.Missing | str | tuple)
            assert field is None or known, name
            assert not isinstance(field, op.Missing) or field.reason, name
        assert row.__doc__, name
