"""Long chains of ``elif`` are deep trees: what Python takes, conversion takes, or says why not."""

from __future__ import annotations

import linecache
import sys

import pytest

import autograph
import runtime as tf
from autograph.syntax import recursion_limit as depth


def chain(arms):
    """A function with a chain of so many arms."""
    lines = [f"{'elif' if n else 'if'} x == {n}:\n        y = x * {n}" for n in range(arms)]
    lines += ["else:\n        y = x", "return y\n"]
    text = "\n    ".join(["def chain(x):", *lines])
    name = f"<chain of {arms}>"
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    namespace = {}
    exec(compile(text, name, "exec"), namespace)
    return namespace["chain"]


def test_a_long_chain_converts():
    function = chain(300)
    limit = sys.getrecursionlimit()
    converted = autograph.to_graph(function)
    assert sys.getrecursionlimit() == limit
    assert [converted(x) for x in (0, 100, 299, 300)] == [0, 10000, 299 * 299, 300]


def test_a_long_chain_is_staged():
    staged = tf.function(chain(250))
    assert [staged(tf.constant(x)).numpy() for x in (0, 3, 249, 250)] == [0, 9, 249 * 249, 250]


def test_what_is_too_deep_names_the_function(monkeypatch):
    monkeypatch.setattr(depth, "LIMIT", 0)  # no more room than Python gives
    with pytest.raises(autograph.UnsupportedSyntaxError, match="^<chain of 400>:1: chain contain"):
        autograph.to_graph(chain(400))


def test_the_limit_is_put_back():
    limit = sys.getrecursionlimit()

    def walk():
        assert sys.getrecursionlimit() == depth.LIMIT
        depth.deep(lambda: None)
        assert sys.getrecursionlimit() == depth.LIMIT
        raise LookupError

    with pytest.raises(LookupError):
        depth.deep(walk)
    assert sys.getrecursionlimit() == limit
