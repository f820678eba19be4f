"""``pattern % values`` where the pattern is no literal: a text of ``runtime.jit``, as in Python."""

from __future__ import annotations

from typing import Any

import pytest

import runtime
from autograph.errors import ConcreteValueError
from tests.runtime.functions.jit_results import as_python

ITEMS, TEXT, HEX, NAMED, BYTES = "%d items", "%s", "%x", "%(n)s", b"%d"
PATTERNS = {"loud": "%s!"}


class Report:
    line = "%5.2f|"

    def text(self, n: Any) -> str:
        return self.line % n


def of_names(n: Any) -> Any:
    return ITEMS % n, TEXT % n, TEXT % (n,), HEX % int(n), NAMED % {"n": n}, TEXT % [n, 1]


def of_expressions(n: Any) -> Any:
    local = "<%s>" if n > 2 else "[%s]"
    found = PATTERNS["loud"] % n, (TEXT + ITEMS) % (n, n)
    return *found, local % n, Report().text(n), TEXT * 2 % (n, 1)


def of_arguments(pattern: str, n: Any) -> Any:
    return pattern % n, pattern % (n,), pattern % 2, (pattern + "%s") % (n, [n])


def of_names_in_arguments(pattern: str, n: Any) -> Any:
    return pattern % {"n": n, "m": n * 2}


def without_fields(n: Any) -> Any:
    pattern = "no field"
    return pattern % n


def remainders(n: Any, m: Any) -> Any:
    total, sizes = n % m, [n, m]
    for i in range(1, 4):
        total = total * i % m + len(sizes) % i + abs(n) % m
    return total, (n + 1) % m, -n % m


def of_bytes(n: int) -> bytes:
    return BYTES % n


def test_patterns_that_are_no_literals() -> None:
    as_python(of_names, (3,), (2.5,), (True,), texts=True)
    as_python(of_expressions, (3,), (2.5,), texts=True)
    patterns = ("%s!", 3), ("%5.1f", 2.5), ("%d", "a"), ("none", 1), ("%%", 1)
    as_python(of_arguments, *patterns, texts=True)
    as_python(of_names_in_arguments, ("%(n)s %(m)s", 3), ("%(k)s", 3), texts=True)
    as_python(without_fields, (3,), ("a",), ([1],), texts=True)


def test_remainders_of_numbers() -> None:
    as_python(remainders, (7, 3), (7, -3), (7.5, 2), (-7, 2.5), (7, 0), texts=True)


def test_bytes_are_not_formatted() -> None:
    with pytest.raises(ConcreteValueError, match="bytes cannot be formatted"):
        runtime.jit(of_bytes)(3)
