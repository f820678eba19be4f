"""Skipped libraries: what of them is converted, and files that only bear their names."""

from __future__ import annotations

import importlib
import statistics
import sys
import textwrap

import pytest

import runtime as tf
from autograph.operators.state.skip_list import is_skipped

TEXT = """
history = []

def collected(n):
    items = [42]
    for i in range(n):
        items.append(i)
    return items

def changed(items, replace):
    if replace:
        items = [11.0]
    items.append(42.0)
    return items

def noted(n):
    for i in range(n):
        history.append(i)
    return len(history)
"""


@pytest.fixture(params=["numba", "queue"])
def module(request, tmp_path, monkeypatch):
    """A module named like a library's or the standard library's, in a folder of the user's."""
    name = request.param
    (tmp_path / f"{name}.py").write_text(textwrap.dedent(TEXT))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr("autograph.operators.state.skip_list._OF_USERS", {})
    importlib.invalidate_caches()
    yield importlib.import_module(name)
    del sys.modules[name]  # monkeypatch brings back what was there


def test_what_a_function_changes_is_seen_wherever_it_comes_from(module):
    assert tf.jit(module.collected, strict=True)(3) == [42, 0, 1, 2]
    changed = tf.jit(module.changed, strict=True)
    for replace in True, False:
        items, expected = [1.0, 2.0], [1.0, 2.0]
        assert changed(items, replace) == module.changed(expected, replace)
        assert items == expected
    assert tf.jit(module.noted, strict=True)(3) == 3
    assert module.history == [0, 1, 2]


def test_a_file_of_the_users_is_not_the_standard_librarys(module):
    assert is_skipped(module.__name__) is (module.__name__ == "numba")


def test_the_standard_library_is_skipped():
    assert is_skipped("queue")
    assert is_skipped(statistics.__name__)
    assert is_skipped("xml.dom")  # that is not loaded
    assert not is_skipped(None)
