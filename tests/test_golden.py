"""Generated code, shown beside its source: ``golden/<construct>/<case>.txt``.

Each function below is one case; its construct is the name of the list it stands in.
``pytest --update-golden`` rewrites the files; read the difference before you commit it.
"""

from __future__ import annotations

import ast
import inspect

import pytest

import autograph
from tests.programs import (
    calls,
    comparisons,
    comprehensions,
    conditionals,
    effects,
    finals,
    jumps,
    loops,
    matches,
    starred,
    tries,
)

CASES = {
    "conditionals": [
        conditionals.absolute, conditionals.sign, conditionals.sides, conditionals.guards,
        conditionals.return_deep, conditionals.return_then_tail, conditionals.annotated,
    ],
    "logical": [
        conditionals.ternary, conditionals.nested_ternary, conditionals.logical,
        conditionals.short_circuit,
    ],
    "comparisons": [
        conditionals.chained, conditionals.chained_middle, conditionals.equalities,
        comparisons.in_numbers, comparisons.in_loop_condition, comparisons.ordered,
    ],
    "comprehensions": [
        comprehensions.with_choice, comprehensions.of_pairs, comprehensions.nested,
        comprehensions.of_python_values, comprehensions.late_closures,
        comprehensions.lazy_generators, comprehensions.truths, comprehensions.is_sorted,
    ],
    "loops": [
        loops.collatz, loops.total, loops.nested_loops, loops.loop_variable_after,
        loops.python_loop_over_pairs, loops.captured_later, loops.loop_in_branch,
    ],
    "finally_jumps": [finals.return_in_finally_wins, finals.continue_drops_a_return],
    "single_exit": [
        jumps.break_at, jumps.continue_on_odd, jumps.partial_break, jumps.partial_continue,
        jumps.while_true, jumps.return_inside_with, jumps.return_inside_try,
        jumps.break_inside_with, jumps.two_exits_inside_with,
    ],
    "returns": [jumps.find, jumps.find_nested],
    "loop_else": [
        jumps.for_else, jumps.while_else, jumps.else_without_break,
        jumps.else_beside_breaks_of_a_loop_inside,
    ],
    "calls": [
        calls.star_arguments, calls.lambdas, calls.inner_function, calls.Doubled.bump,
        calls.attribute_in_loop, calls.item_in_loop,
    ],
    "unpacking": [starred.rest_and_last],
    "matches": [
        matches.literals, matches.captures, matches.values, matches.guards, matches.sequences,
        matches.tuples, matches.mappings, matches.classes, matches.nested,
    ],
    "asserts": [effects.asserts, effects.asserts_with_message],
    "try_statements": [
        tries.caught, tries.clauses, tries.leaves_the_loop, tries.state_of_the_loop,
    ],
    "raises": [effects.raises_else, effects.raise_class],
    "prints": [effects.prints],
    "variables": [effects.undefined, effects.undefined_loop_variable, effects.deleted],
}


def in_generators(xs):
    for x in xs:
        if x > 0:
            yield x
        if x < 0:
            x = -x
        else:
            x = 0
        yield x + 1


async def in_coroutines(x):
    if x > 0:
        await other(x)
    if x < 0:
        x = -x
    return x


async def other(x):
    return x


def broad_handlers(x):
    try:
        if x > 0:
            x = x + 1
    except ValueError:
        x = 0
    except Exception:
        x = 1
    return x


def frame_builtins(x):
    if x > 0:
        y = 1
        return locals()
    if x < -1:
        x = 2
    return x


def certain_tests(x, items=...):
    if items is ...:
        items = []
    if x is not ... and True:
        x = x + 1
    if isinstance(x, str):
        items.append(x)
    return [x] if x is not ... else items


CASES["static_bools"] = [certain_tests]
CASES["keep_as_python"] = [in_generators, in_coroutines, frame_builtins]
CASES["guard_handlers"] = [broad_handlers]


@pytest.mark.parametrize(
    "construct, function",
    [
        pytest.param(construct, function, id=f"{construct}-{function.__name__}")
        for construct, functions in CASES.items()
        for function in functions
    ],
)
def test_generated_code(construct, function, golden):
    text = autograph.to_code(function)
    ast.parse(text)
    source = inspect.cleandoc("\n" + inspect.getsource(function))
    golden(f"{construct}/{function.__name__}.txt", f"{source}\n\n{'-' * 72}\n\n{text}")
