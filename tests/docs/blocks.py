"""Where the blocks of README.md and docs/ come from, and what must hold after running one."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import numpy as np

import autograph
import runtime as tf
from examples.collatz import collatz


def after_op(namespace: dict[str, object], printed: str) -> None:
    """The new op works eagerly; then its row goes again."""
    from runtime.op import TABLE

    try:
        result = namespace["cbrt"](tf.constant([8.0, 27.0]))
        np.testing.assert_allclose(result.numpy(), [2.0, 3.0], rtol=1e-6)
    finally:
        del TABLE["cbrt"]


def after_error(namespace: dict[str, object], printed: str) -> None:
    """The text of the error is the one that the page promises."""
    assert printed.startswith("prices.py:12: 'total' is")
    assert "\n  help: give both" in printed


def after_readme(namespace: dict[str, object], printed: str) -> None:
    """The names of the example stand for what the comments say."""
    assert namespace["collatz"](27) == 111


SHOWN: dict[str, Callable[[], str]] = {
    "collatz source": lambda: inspect.getsource(collatz),
    "collatz code": lambda: autograph.to_code(collatz),
}

after_running: dict[str, Callable[[dict[str, object], str], None]] = {
    "op": after_op,
    "error": after_error,
    "readme": after_readme,
}
