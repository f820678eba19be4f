"""How much slower converted functions are than their originals on plain Python values.

Target: 3 times at most.  The staged version, which runs while something is traced, is shown for
comparison, and what a call costs that leads to nothing to convert.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from timing import medians, pin, report

import autograph
from autograph import staging


def collatz(n: int) -> int:
    """A loop around a branch."""
    steps = 0
    while n != 1:
        if n % 2 == 0:  # noqa: SIM108
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def sum_even(numbers: list[int]) -> int:
    """A loop with a ``continue``."""
    total = 0
    for number in numbers:
        if number % 2 > 0:
            continue
        total += number
    return total


def clipped(x: int) -> int:
    """A tiny function of branches."""
    if x < 3:
        return 3
    elif x > 7:
        return 7
    return x


def clip_all(numbers: list[int]) -> list[int]:
    """A loop that calls a tiny function and a method of a builtin."""
    found = []
    for number in numbers:
        found.append(clipped(number))
    return found


def longest_words(words: list[str]) -> dict[str, int]:
    """Methods of strings and dicts, builtins, and a comprehension."""
    found: dict[str, int] = {}
    for word in words:
        key = word.strip().lower()
        if key and len(key) > found.get(key[0], 0):
            found[key[0]] = len(key)
    return {key: value for key, value in found.items() if value > 1}


def fib(n: int) -> int:
    """Recursion."""
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def counted(numbers: list[int]) -> int:
    """A local function that is called in a loop."""
    count = 0

    def note(number: int) -> None:
        nonlocal count
        if number > 4:
            count += 1

    for number in numbers:
        note(number)
    return count


NUMBERS = list(range(10)) * 100
WORDS = ["Some", "words ", " of", "text", "", "and", "more"] * 30
CASES: list[tuple[Callable[..., Any], Any]] = [
    (collatz, 27), (sum_even, NUMBERS), (clipped, 5), (clip_all, NUMBERS),
    (longest_words, WORDS), (fib, 12), (counted, NUMBERS),
]  # fmt: skip


def main() -> None:
    """Prints a table for each function."""
    pin()
    for function, argument in CASES:
        converted = autograph.to_graph(function)

        def functional(converted: Any = converted, argument: Any = argument) -> None:
            with staging.force_version(staged=True):
                converted(argument)

        call = functools.partial(function, argument)
        results = medians({
            "original": call,
            "converted": functools.partial(converted, argument),
            "staged version": functional,
        })
        report(function.__name__, results, "original")

    calls = autograph.operators.call
    noted: list[int] = []
    report(
        "what a call looks up",
        medians({
            "plain call": lambda: clipped(5),
            "function": lambda: calls(clipped),
            "builtin function": lambda: calls(len),
            "method of a list": lambda: calls(noted.append),
            "class": lambda: calls(dict),
        }),
        "plain call",
    )


if __name__ == "__main__":
    main()
