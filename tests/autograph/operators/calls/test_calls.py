"""Lookups of what converted code calls."""

from __future__ import annotations

import autograph


def test_a_function_whose_code_was_replaced():
    def lazy():
        return "not yet"

    def made():
        return "made"

    def caller(function):
        return function()

    converted = autograph.to_graph(caller)
    assert converted(lazy) == "not yet"
    lazy.__code__ = made.__code__
    assert converted(lazy) == "made"
