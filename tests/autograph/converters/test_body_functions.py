"""Bodies keep the function's variables apart from those of comprehensions."""

from __future__ import annotations

import pytest

import autograph


def written_inside(units, least):
    if least is None:
        scale = 1
    else:
        scales = [(scale, unit) for unit, scale in units.items()]
        for scale, unit in scales:
            if scale >= least:
                break
    return scale


def read_inside(units, least):
    if units:
        names = [least for least in units]
        if names:
            return least
    return names


def of_a_loop(units, least):
    while least:
        names = [least for least in units]
        if names:
            least = least - 1
            names += [(units, least) for units in names if least]
    return names


@pytest.mark.parametrize("function", [written_inside, read_inside, of_a_loop])
def test_a_comprehension_has_variables_of_its_own(function) -> None:
    """Python 3.12 takes one for the other, where a body in between does not declare it."""
    arguments = {"a": 1, "b": 2}, 2
    assert autograph.to_graph(function)(*arguments) == function(*arguments)
    assert any(
        "nonlocal" in line and {"scale", "least"} & set(line.replace(",", "").split())
        for line in autograph.to_code(function).splitlines()
    )
