"""Handlers in loops that use the exception by its name under a staged condition."""

from __future__ import annotations

import pytest

import runtime as tf


def raised_from_it(text, limit):
    count = 0
    while count < 3:
        try:
            number = int(text)
            break
        except ValueError as error:
            if count == limit:
                raise KeyError("late") from error
            count += 1
    return count


def looked_at(texts, limit):
    total = 0
    for text in texts:
        try:
            total += int(text)
        except ValueError as error:
            if total > limit:
                total += len(str(error))
            else:
                for _ in range(limit):
                    if total < 100:
                        total += str(error).count("'")
    return total


def kept_as_it_was(texts, limit):
    error, total = 7, 0
    for text in texts:
        try:
            total += int(text)
        except ValueError as problem:
            if total > limit:
                error = len(str(problem))
    return error, total


@pytest.mark.parametrize("limit", [0, 1, 2, 5])
@pytest.mark.parametrize("text", ["1", "x"])
def test_what_is_raised_from_it_has_it_as_its_cause(text, limit):
    staged = tf.jit(raised_from_it, strict=True)
    try:
        expected = raised_from_it(text, limit)
    except KeyError as wanted:
        with pytest.raises(KeyError, match="late") as caught:
            staged(text, limit)
        assert repr(caught.value.__cause__) == repr(wanted.__cause__)
    else:
        assert staged(text, limit) == expected


@pytest.mark.parametrize("function", [looked_at, kept_as_it_was])
@pytest.mark.parametrize("limit", [0, 3, 9])
def test_conditions_and_loops_in_a_handler_see_it(function, limit):
    texts = ["1", "x", "7", "abc", "2"]
    assert tf.jit(function, strict=True)(texts, limit) == function(texts, limit)
