"""The table of codes tells the truth: examples are found and fail when staged, remedies are not.

A limit that was lifted turns a row's example red here: take the row and its rule out.
"""

from __future__ import annotations

import linecache
import re

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph.lint.codes import CHECKS, TABLE, Check
from autograph.lint.modules import check_bytes
from tests.support.extras import needs

ON_JAX = [
    pytest.param(check, id=check.code, marks=needs("xla")) for check in CHECKS if check.libraries
]
OF_RUNTIME = [check for check in CHECKS if not check.libraries]
rows = pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.code)


def found(text: str, strict: bool = False) -> list[str]:
    """The codes found in a module, in order."""
    return [p.code for p in check_bytes(text.encode(), "m.py", frozenset(TABLE), strict)]


def defined(text: str, name: str) -> object:
    """The function ``f`` that a text defines."""
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    namespace: dict = {"__name__": "example"}
    exec(compile(text, name, "exec", dont_inherit=True), namespace)
    return namespace["f"]


def staged(text: str, name: str, number: int) -> object:
    """What the function gives when its argument is staged, as a Python value."""
    result = tf.function(defined(text, name))(tf.constant(number))
    return result if result is None else plain(result)


def plain(value: object) -> object:
    if isinstance(value, (tuple, list)):
        return tuple(map(plain, value))
    return np.asarray(value).tolist()


@rows
def test_example_is_found(check: Check) -> None:
    assert found(check.example) == [check.code]


@rows
def test_remedy_is_not_found(check: Check) -> None:
    assert found(check.remedy) == []


runtime_rows = pytest.mark.parametrize("check", OF_RUNTIME, ids=lambda check: check.code)


@runtime_rows
def test_example_fails_when_staged(check: Check) -> None:
    name = f"<example {check.code}>"
    if check.error is None:
        assert staged(check.example, name, 3) != plain(defined(check.example, name)(3))
        return
    with pytest.raises(Exception) as raised:
        staged(check.example, name, 3)
    assert type(raised.value).__name__ == check.error


@runtime_rows
@pytest.mark.parametrize("number", [3, -3])
def test_remedy_works_when_staged(check: Check, number: int) -> None:
    name = f"<remedy {check.code}>"
    eager = defined(check.remedy, name)(tf.constant(number))
    result = staged(check.remedy, name, number)
    assert result == (eager if eager is None else plain(eager))


def on_jax(text: str, name: str, number: int) -> int:
    """What the function gives under ``jax.jit``."""
    import jax

    return int(jax.jit(autograph.to_graph(defined(text, name)))(number))


@pytest.mark.parametrize("check", ON_JAX)
def test_example_fails_on_jax(check: Check) -> None:
    with pytest.raises(Exception) as raised:
        on_jax(check.example, f"<example {check.code}>", 3)
    assert type(raised.value).__name__ == check.error


@pytest.mark.parametrize("number", [3, -3])
@pytest.mark.parametrize("check", ON_JAX)
def test_remedy_works_on_jax(check: Check, number: int) -> None:
    name = f"<remedy {check.code}>"
    assert on_jax(check.remedy, name, number) == defined(check.remedy, name)(number)


def test_codes_are_in_order() -> None:
    codes = [check.code for check in CHECKS]
    assert codes == sorted(set(codes))
    assert all(re.fullmatch("AG[1-6][0-9][0-9]", code) for code in codes)
