"""The programs of ``tests/programs`` on numbers, traced by JAX, against plain Python."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

import autograph
from autograph.errors import AutoGraphError
from tests.programs import programs
from tests.support import ways
from tests.support.jaxprs import interpreted


def plain(value: Any) -> Any:
    """A result as Python's own: an array is a list, and what may be None is known."""
    from autograph.backends.results import BoundedList

    if isinstance(value, BoundedList):
        arrays = autograph_tree().map(lambda array: np.asarray(array), value.items)
        rows = range(int(value.length))
        return [plain(autograph_tree().map(lambda a, k=k: a[k], arrays)) for k in rows]
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def autograph_tree() -> Any:
    """JAX's functions of trees."""
    import jax

    return jax.tree


def outcome(call: Any, args: Any) -> tuple[ways.Outcome, BaseException | None]:
    """What a call returns, prints and raises, and the exception."""
    raised: list[BaseException] = []

    def kind(error: BaseException) -> Any:
        raised.append(error)
        return type(error)

    found = ways.outcome(lambda: call(*args), kind, plain, (Exception,))
    return found, (raised or [None])[0]


def check(part: slice, least: int) -> None:
    """Compare programs on their first inputs: none is wrong, and at least so many are staged."""
    import jax

    from autograph.backends.bounded_lists import maximum_size

    reasons: Counter[str] = Counter()
    wrong, total = [], 0
    with jax.enable_x64(True), maximum_size(64):
        for function, inputs in programs("numbers")[part]:
            if any(isinstance(value, str) for value in inputs[0]):
                continue
            total += 1
            expected, _ = outcome(function, inputs[0])
            got, error = outcome(interpreted(autograph.to_graph(function)), inputs[0])
            if got == expected:
                continue
            if isinstance(error, AutoGraphError):
                reasons[type(error).__name__] += 1
            else:
                wrong.append(f"{function.__name__}{inputs[0]}: {got} instead of {expected}")
    passed = total - reasons.total() - len(wrong)
    print(f"{passed} of {total}; refused: {dict(reasons)}")
    assert not wrong, "\n".join(wrong)
    assert passed >= least, f"{passed} of {total}"
