"""``try`` in native code: results, exceptions, references, and that no loop calls Python."""

import re
import signal
import sys

import numpy as np
import pytest

import autograph
import runtime
from runtime.engine.llvm.exceptions.handler_choice import HandlerChoice
from runtime.engine.llvm.printer import print_module
from runtime.types.flags import JIT
from tests.runtime.engine.llvm.native_programs import check_native, lowered_modules, outcome
from tests.runtime.engine.llvm.try_programs import (
    again,
    appends,
    counted,
    divisions,
    in_a_handler,
    in_finally,
    indexes,
    jumps,
    keys,
    lists_of_lists,
    loops_inside,
    nested,
    one_class_with_numbers_and_texts,
    other_lists,
    overflow,
    pops,
    quotients,
    raised,
    recursive,
    uncaught,
    with_cause,
)

pytest.importorskip("llvmlite")

COUNTS = (0, 1, 4, 30)


@pytest.mark.parametrize(
    "function",
    [
        divisions, quotients, indexes, appends, pops, keys, raised, nested, loops_inside, jumps,
        recursive, in_finally, other_lists, lists_of_lists, overflow,
    ],
)  # fmt: skip
def test_programs(function):
    cases = [(count,) for count in COUNTS]
    check_native(function, *cases)
    with JIT("never"):
        staged = runtime.jit(function)
        for (count,) in cases:
            assert outcome(staged, count) == outcome(function, count)


@pytest.mark.parametrize(
    "function", [divisions, quotients, indexes, appends, pops, keys, raised, jumps, counted]
)
def test_no_exception_is_made_where_the_handler_needs_none(function, monkeypatch):
    made = []
    choose = HandlerChoice.choose
    monkeypatch.setattr(HandlerChoice, "choose", lambda *a: made.append(a) or choose(*a))
    with JIT("always"):
        assert runtime.jit(function)(30) == function(30)
    assert not made


def described(error):
    """Return an exception as a text, with those that it refers to."""
    if error is None:
        return None
    return repr(error), described(error.__cause__), described(error.__context__)


@pytest.mark.parametrize(
    "function", [uncaught, with_cause, in_a_handler, again, one_class_with_numbers_and_texts]
)
def test_exceptions_refer_to_those_that_were_handled(function):
    found = []
    with JIT("always"):
        for one in (function, runtime.jit(function)):
            assert one(4) == function(4)
            with pytest.raises(Exception) as info:  # noqa: PT011
                one(20)
            found.append(described(info.value))
            assert sys.exception() is None
    assert found[0] == found[1]


def test_a_handler_ends_with_its_exception_unset():
    @runtime.jit
    def staged(n):
        total = 0
        for i in range(n):
            try:
                total += 10 // (i % 2)
            except ZeroDivisionError as error:
                total += len(error.args)
        if total > 100:
            raise ValueError("later")
        return total

    with JIT("always"):
        with pytest.raises(ValueError, match="later") as info:
            staged(30)
    assert info.value.__context__ is None


def test_references_are_given_back():
    def rows(arrays, n):
        total = 0.0
        xs = []
        for i in range(n):
            row = arrays
            try:
                xs.append(i)
                row = arrays * 2.0
                total += 1 // (i % 3)
                if i % 5 == 1:
                    raise KeyError(i)
                row = arrays
            except ZeroDivisionError:
                total += row[0]
            except KeyError as error:
                total += row[1] + error.args[0]
            total += 7 // (25 - i)
        return total, len(xs), row

    array = np.arange(3.0)
    with JIT("always"):
        staged = runtime.jit(rows)
        for count in (20, 40):  # the second ends with an error
            assert outcome(staged, array, count) == outcome(rows, array, count)
            grown = []
            for _ in range(5):  # threads that other tests left take references of None, too
                before = sys.getrefcount(array), sys.getrefcount(None)
                for _ in range(20):
                    outcome(staged, array, count)
                after = sys.getrefcount(array), sys.getrefcount(None)
                assert after[0] == before[0]
                grown.append(after[1] - before[1])
            assert min(grown) < 20


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_runs_what_is_left_to_do(capsys):
    def endless(n):
        total = n
        try:
            while total >= 0:
                total = 10 // (1 + total % 3)
        except ZeroDivisionError:
            total = -5
        finally:
            print("end", total >= 0)
        return total

    def interrupt(*_):
        raise KeyboardInterrupt

    with JIT("always"):
        staged = runtime.jit(endless)
        staged.kernel_ir(3)
        before = signal.signal(signal.SIGALRM, interrupt)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with pytest.raises(KeyboardInterrupt):
                staged(3)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    assert capsys.readouterr().out == "end True\n"


def test_a_kernel_that_saves_keeps_the_statement_out():
    def gathered(xs, n):
        total = 0.0
        for i in range(n):
            try:
                total += 1.0
                while xs[i % 3 :].sum() > total:  # no number in a register
                    total += 10 // (i % 3)
            except ZeroDivisionError:
                total += 100.0
        return total

    with JIT("always"):
        array = np.array([5.0, 50.0, 500.0])
        assert outcome(runtime.jit(gathered), array, 7) == outcome(gathered, array, 7)


def test_text_of_a_try(golden):
    with lowered_modules() as modules:
        assert runtime.jit(appends)(4) == appends(4)
    text = "\n\n".join(map(print_module, modules))
    golden("engine/try_kernel_ir.txt", re.sub(" +#.*", "", text))


class Amount:
    def __init__(self, number):
        self.number = number

    def __format__(self, spec):
        return f"<{self.number}>"


def shown(n):
    try:
        if n > 2:
            raise ValueError(f"got {Amount(n)}")
    except ValueError as error:
        print(error)
    return n


class TooMuchError(Exception):
    def __init__(self, amount):
        super().__init__("too much")
        self.amount = amount

    def __str__(self):
        return f"{self.args[0]}: {self.amount}"


def shown_by_its_class(n):
    try:
        if n > 2:
            raise TooMuchError(n * 2)
    except TooMuchError as error:
        print(error, Amount(1))
    return n


def test_a_handler_prints_an_exception_that_is_not_made(capsys):
    with JIT("always"), runtime.Session(graph=runtime.Graph()) as session:
        n = runtime.placeholder(runtime.int32, [])
        results = [autograph.to_graph(f)(n) for f in (shown, shown_by_its_class)]
        assert [session.run(results, {n: k}) for k in (5, 2, 7)] == [[5, 5], [2, 2], [7, 7]]
    texts = capsys.readouterr().out.splitlines()
    assert texts[::2] == ["got <5>", "got <7>"]
    assert [text.partition(" <")[0] for text in texts[1::2]] == ["too much: 10", "too much: 14"]
