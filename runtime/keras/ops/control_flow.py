"""Control flow of ``keras.ops``: choices, loops and maps, staged like the runtime's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.autodiff.custom_gradient import custom_gradient as custom_gradient
from runtime.control_flow import cond as cond_module
from runtime.control_flow import map_fn
from runtime.control_flow import scan as scan_module
from runtime.control_flow import while_loop as loop_module
from runtime.keras.ops.elementwise import clip
from runtime.ops.array.concat_split import concat
from runtime.ops.array.constants import convert_to_tensor as to_tensor
from runtime.ops.array.creation import range as range_op
from runtime.ops.docstrings import documented
from runtime.types import nest


@documented("What the functions return", pred="bool", true_fn="function without arguments",
            false_fn="function without arguments")  # fmt: skip
def cond(pred: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any]) -> Any:
    """Call one of two functions."""
    return cond_module.cond(pred, true_fn, false_fn)


@documented("What the function returns", index="number of the function", branches="functions",
            operands="their arguments")  # fmt: skip
def switch(index: Any, branches: Any, *operands: Any) -> Any:
    """Call one of several functions; an index out of range is the nearest one."""
    calls = [lambda f=f: f(*operands) for f in branches]
    return cond_module.switch_case(clip(index, 0, len(calls) - 1), calls)


@documented("The last loop variables", cond="function of the loop variables: whether to go on",
            body="function of the loop variables: the next ones", loop_vars="the first ones",
            maximum_iterations="greatest number of turns")  # fmt: skip
def while_loop(
    cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any,
    maximum_iterations: int | None = None,
) -> Any:  # fmt: skip
    """Repeat a function while a condition holds."""
    is_list = isinstance(loop_vars, list | tuple)
    variables = tuple(loop_vars) if is_list else (loop_vars,)

    def step(*values: Any) -> Any:
        results = body(*values)
        return tuple(results) if isinstance(results, list | tuple) else (results,)

    results = loop_module.while_loop(cond, step, variables, maximum_iterations=maximum_iterations)
    return type(loop_vars)(results) if is_list else results[0]


@documented("The last value", lower="first number", upper="end of the numbers",
            body_fun="function of the number and the value: the next value",
            init_val="the first value")  # fmt: skip
def fori_loop(lower: Any, upper: Any, body_fun: Callable[[Any, Any], Any], init_val: Any) -> Any:
    """Repeat a function for each number."""
    _, result = loop_module.while_loop(
        lambda i, value: i < upper, lambda i, value: (i + 1, body_fun(i, value)),
        (to_tensor(lower), init_val),
    )  # fmt: skip
    return result


@documented("Results, stacked", f="function of an entry", xs="tensor, or nest of tensors")
def map(f: Callable[[Any], Any], xs: Any) -> Any:
    """Call a function for each entry along the first axis."""
    xs = nest.map_structure(to_tensor, xs)
    first_result = f(nest.map_structure(lambda x: x[0], xs))
    return map_fn.map_fn(
        f, xs, fn_output_signature=nest.map_structure(lambda t: t.dtype, first_result)
    )


@documented("Results, stacked", function="function of an entry", elements="tensor, or nest of them")
def vectorized_map(function: Callable[[Any], Any], elements: Any) -> Any:
    """Call a function for each entry along the first axis, of all entries at once where it can."""
    return map_fn.vectorized_map(function, elements)


@documented("Pair: the last carry, and the results, stacked",
            f="function of the carry and an entry: the next carry and a result",
            init="the first carry", xs="tensor, or nest of tensors; None: nothing",
            length="number of entries", reverse="whether to begin at the last entry",
            unroll="has no effect")  # fmt: skip
def scan(
    f: Callable[[Any, Any], Any], init: Any, xs: Any = None, length: int | None = None,
    reverse: bool = False, unroll: int = 1,
) -> Any:  # fmt: skip
    """Carry a value along the entries of the first axis."""
    xs = range_op(length) if xs is None else nest.map_structure(to_tensor, xs)
    first, later = (-1, np.s_[:-1]) if reverse else (0, np.s_[1:])
    carry, result = f(init, nest.map_structure(lambda x: x[first], xs))
    has_results = result is not None
    begin = (nest.map_structure(to_tensor, carry), result if has_results else ())
    results = scan_module.scan(
        lambda state, entry: (lambda pair: (pair[0], pair[1] if has_results else ()))(
            f(state[0], entry)
        ),
        nest.map_structure(lambda x: x[later], xs), begin, reverse=reverse,
    )  # fmt: skip
    every = nest.map_structure(
        lambda first_entry, later_entries: _joined(first_entry, later_entries, reverse),
        begin,
        results,
    )
    final = nest.map_structure(lambda x: x[0 if reverse else -1], every[0])
    return final, every[1] if has_results else None


def _joined(first: Any, entries: Any, reverse: bool) -> Any:
    """Put the first entry before the others, or after them."""
    alone = to_tensor(first)[None]
    return concat([entries, alone] if reverse else [alone, entries], 0)
