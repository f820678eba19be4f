"""Compiled conversions bear the user's names, and hold the user's constants."""

from __future__ import annotations

import autograph


def test_text_that_equals_a_qualified_name_stays() -> None:
    class Local:
        def method(self):
            class Inner:
                name = __qualname__
            return "Local.method", Inner.name

    found = autograph.to_graph(Local.method)(None)
    assert found == ("Local.method", f"{Local.__qualname__}.method.<locals>.Inner")
