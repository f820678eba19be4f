"""Exceptions while a function is traced: what happens before them, and what is kept of them."""

import os

import pytest

import runtime as tf


def outcome(call, *args):
    """What a call gives: its value, or the class and text of what it raises."""
    try:
        result = call(*args)
    except Exception as error:
        return type(error).__name__, str(error)
    return result.numpy() if isinstance(result, tf.Tensor) else result


def both_raise(n):
    if n <= 0:
        raise TypeError("first")
    raise ValueError("second")


def needs_both(n, m):
    if n <= 0 or m <= 0:
        raise ValueError("too small")
    return n


def message_fails(n, m):
    assert n > 0, m.text
    return n


@pytest.mark.parametrize("function", [needs_both, message_fails])
def test_operands_raise_where_they_are_evaluated(function):
    staged = tf.function(function)
    for n in (1, 0, 1, 0):
        expected = outcome(function, n, None)
        assert outcome(staged, tf.constant(n), None) == expected


def test_the_first_exception_of_a_run_counts():
    staged = tf.function(both_raise)
    for n in (0, 1, 0, 1):
        assert outcome(staged, tf.constant(n)) == outcome(both_raise, n)


def calls_it(n):
    return both_raise_staged(n) + 1


def calls_it_in_a_branch(n):
    if n < 5:
        return both_raise_staged(n) + 1
    return n


def catches_it(n):
    try:
        return both_raise_staged(n)
    except ValueError:
        return n + 40


both_raise_staged = tf.function(both_raise)


@pytest.mark.parametrize("function", [calls_it, calls_it_in_a_branch, catches_it])
@pytest.mark.parametrize("traced_before", [False, True])
def test_calls_of_functions_that_never_return(function, traced_before, monkeypatch):
    inner = tf.function(both_raise)
    if traced_before:
        outcome(inner, tf.constant(1))
    staged = tf.function(function)
    for n in (0, 1, 7, 0, 1, 7):
        monkeypatch.setitem(globals(), "both_raise_staged", both_raise)
        expected = outcome(function, n)
        monkeypatch.setitem(globals(), "both_raise_staged", inner)
        assert outcome(staged, tf.constant(n)) == expected


def test_effects_happen_before_the_exception(capsys):
    v = tf.Variable(1)

    @tf.function
    def f(x):
        tf.print("seen", x)
        v.assign(x)
        raise KeyError("end")

    for number in (5, 6):
        with pytest.raises(KeyError, match="end"):
            f(tf.constant(number))
        assert v.numpy() == number
    assert capsys.readouterr().err == "seen 5\nseen 6\n"


def test_what_handlers_pass_over_in_a_function_is_run(capsys):
    @tf.function
    def inner(x):
        tf.print("inner", x)
        raise KeyError("end")

    @tf.function
    def outer(x):
        try:
            inner(x)
        except KeyError:
            return x + 1
        return x

    assert outer(tf.constant(3)).numpy() == 4
    assert capsys.readouterr().err == "inner 3\n"


def test_a_file_that_is_missing_while_tracing_is_looked_for_again(tmp_path):
    path = tmp_path / "number"

    @tf.function
    def read(n):
        if n > 0:
            with open(path) as file:
                return int(file.read())
        return 0

    @tf.function
    def around(n):
        return read(n) + 1

    for _ in range(2):
        assert outcome(read, tf.constant(1))[0] == "FileNotFoundError"
        assert outcome(read, tf.constant(0)) == 0
        assert outcome(around, tf.constant(1))[0] == "FileNotFoundError"
    path.write_text("7")
    assert outcome(read, tf.constant(1)) == 7
    assert outcome(around, tf.constant(1)) == 8
    assert outcome(read, tf.constant(0)) == 0
    count = read.experimental_get_tracing_count()
    assert outcome(read, tf.constant(1)) == 7
    assert read.experimental_get_tracing_count() == count


def test_an_error_that_a_library_raises_is_not_kept(monkeypatch):
    monkeypatch.delenv("NUMBER_OF_THIS_TEST", raising=False)

    @tf.function
    def read(n):
        if n > 0:
            return int(os.environ["NUMBER_OF_THIS_TEST"])
        return 0

    assert outcome(read, tf.constant(1)) == ("KeyError", "'NUMBER_OF_THIS_TEST'")
    monkeypatch.setenv("NUMBER_OF_THIS_TEST", "7")
    assert outcome(read, tf.constant(1)) == 7


def test_an_error_made_of_a_transient_one_is_not_kept(tmp_path):
    path = tmp_path / "number"

    @tf.function
    def read(n):
        if n > 0:
            try:
                return int(path.read_text())
            except OSError as error:
                raise ValueError("no number") from error
        return 0

    assert outcome(read, tf.constant(1)) == ("ValueError", "no number")
    path.write_text("7")
    assert outcome(read, tf.constant(1)) == 7


def test_what_the_program_raises_itself_is_kept():
    @tf.function
    def check(n):
        if n < 0:
            raise OSError("below zero")
        return {"a": 1}["b"] if n == 0 else n

    for _ in range(3):
        assert outcome(check, tf.constant(-1)) == ("OSError", "below zero")
        assert outcome(check, tf.constant(0)) == ("KeyError", "'b'")
    assert check.experimental_get_tracing_count() == 1
