"""Deprecated names warn at the caller's line, name their successor, and go away in time."""

from __future__ import annotations

import warnings

import pytest

import autograph
import runtime
from autograph.deprecation import DEPRECATED, deprecated, is_due


@pytest.fixture(autouse=True)
def registry(monkeypatch):
    monkeypatch.setattr("autograph.deprecation.DEPRECATED", dict(DEPRECATED))


def test_a_call_warns_at_the_callers_line_and_works():
    @deprecated("new_sum(values)", gone="0.3")
    def old_sum(values, start=0):
        """Add values."""
        return sum(values, start)

    with pytest.warns(DeprecationWarning, match=r"old_sum is deprecated and gone in version 0\.3: "
                      r"use new_sum\(values\)") as record:  # fmt: skip
        assert old_sum([1, 2], start=3) == 6
    assert record[0].filename == __file__
    assert old_sum.__doc__ == "Add values." and old_sum.__name__ == "old_sum"


def test_what_is_not_called_warns_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        deprecated("other", gone="9.0")(lambda: None)


@pytest.mark.parametrize(("gone", "version", "due"), [
    ("0.2", "0.1.0", False), ("0.2", "0.2.0", True), ("0.2", "0.10.1", True), ("1.0", "0.9", False),
])  # fmt: skip
def test_versions_are_compared_as_numbers(gone, version, due):
    assert is_due(gone, version) is due


def test_nothing_outlives_its_version():
    dir(runtime)  # loads the public names
    due = {name: gone for name, gone in DEPRECATED.items() if is_due(gone, autograph.__version__)}
    assert not due, "these names are to be removed in this version"
