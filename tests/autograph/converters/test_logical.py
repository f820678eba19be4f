"""Parts of `and`, `or` and conditional expressions move into lambdas, unless they look around."""

from __future__ import annotations

import pytest

import autograph


def evaluates(x):
    return x and eval("x + 1")


def chooses(x):
    return eval("x + 1") if x > 0 else locals()["x"] - 1


def named(x):
    return x > 0 and (y := x + 1) > 2 and y


@pytest.mark.parametrize("function", [evaluates, chooses, named])
@pytest.mark.parametrize("x", [0, 1, 4])
def test_the_frame_seen_is_the_functions(function, x) -> None:
    assert autograph.to_graph(function)(x) == function(x)
