"""Control flow, conversion and slices of ``keras.ops``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.autodiff.custom_gradient import custom_gradient as custom_gradient
from runtime.control_flow import cond as cond_module
from runtime.control_flow import map_fn
from runtime.control_flow import scan as scan_module
from runtime.control_flow import while_loop as loop_module
from runtime.keras.docstrings import documented
from runtime.ops.array import constants, gather_scatter
from runtime.ops.array import shape as shape_ops
from runtime.ops.array.concat_split import concat, stack, unstack
from runtime.ops.array.constants import convert_to_tensor as to_tensor
from runtime.ops.array.constants import is_tensor as is_tensor
from runtime.ops.array.creation import range as range_op
from runtime.types import nest

_X = "tensor, array or number"


@documented("Tensor", x=_X, dtype="dtype; None: its own", sparse="only None or False",
            ragged="only None or False")  # fmt: skip
def convert_to_tensor(x: Any, dtype: Any = None, sparse: Any = None, ragged: Any = None) -> Any:
    """Convert a value to a tensor, of another dtype if one is given."""
    found = to_tensor(x)
    return found if dtype is None else constants.cast(found, dtype)


@documented("NumPy array", x="tensor or array")
def convert_to_numpy(x: Any) -> Any:
    """Convert a tensor to a NumPy array."""
    return np.asarray(x.numpy() if hasattr(x, "numpy") else x)


@documented("Tensor of the shape of ``x``", x=_X, dtype="the dtype")
def cast(x: Any, dtype: Any) -> Any:
    """Convert a tensor to a dtype."""
    return constants.cast(to_tensor(x), dtype)


@documented("Tuple of sizes: ints, or tensors for those that are known at run time", x=_X)
def shape(x: Any) -> tuple[Any, ...]:
    """Return the shape of a tensor."""
    x = to_tensor(x)
    known, sizes = list(x.shape), None
    if None in known:
        sizes = shape_ops.shape(x)
    return tuple([sizes[k] if d is None else d for k, d in enumerate(known)])  # type: ignore[index]


@documented("Int", x=_X)
def ndim(x: Any) -> int:
    """Return the number of axes."""
    return int(to_tensor(x).shape.rank)


@documented("Scalar of dtype int32", x=_X)
def size(x: Any) -> Any:
    """Return the number of elements."""
    return shape_ops.size(to_tensor(x))


@documented("Name of the dtype", x=_X)
def dtype(x: Any) -> str:
    """Return the dtype of a tensor."""
    return str(to_tensor(x).dtype.name)


@documented("Tensor", variable=_X)
def stop_gradient(variable: Any) -> Any:
    """Return a value as it is, through which no gradient flows."""
    return nest.map_structure(lambda x: constants.stop_gradient(to_tensor(x)), variable)


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
    from runtime.keras.ops.elementwise import clip

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
    given = tuple(loop_vars) if is_list else (loop_vars,)

    def step(*values: Any) -> Any:
        found = body(*values)
        return tuple(found) if isinstance(found, list | tuple) else (found,)

    found = loop_module.while_loop(cond, step, given, maximum_iterations=maximum_iterations)
    return type(loop_vars)(found) if is_list else found[0]


@documented("The last value", lower="first number", upper="end of the numbers",
            body_fun="function of the number and the value: the next value",
            init_val="the first value")  # fmt: skip
def fori_loop(lower: Any, upper: Any, body_fun: Callable[[Any, Any], Any], init_val: Any) -> Any:
    """Repeat a function for each number."""
    _, found = loop_module.while_loop(
        lambda i, value: i < upper, lambda i, value: (i + 1, body_fun(i, value)),
        (to_tensor(lower), init_val),
    )  # fmt: skip
    return found


@documented("Results, stacked", f="function of an entry", xs="tensor, or nest of tensors")
def map(f: Callable[[Any], Any], xs: Any) -> Any:
    """Call a function for each entry along the first axis."""
    xs = nest.map_structure(to_tensor, xs)
    wanted = f(nest.map_structure(lambda x: x[0], xs))
    return map_fn.map_fn(f, xs, fn_output_signature=nest.map_structure(lambda t: t.dtype, wanted))


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
    first, rest = (-1, np.s_[:-1]) if reverse else (0, np.s_[1:])
    carry, result = f(init, nest.map_structure(lambda x: x[first], xs))
    has_results = result is not None
    begin = (nest.map_structure(to_tensor, carry), result if has_results else ())
    found = scan_module.scan(
        lambda state, entry: (lambda pair: (pair[0], pair[1] if has_results else ()))(
            f(state[0], entry)
        ),
        nest.map_structure(lambda x: x[rest], xs), begin, reverse=reverse,
    )  # fmt: skip
    every = nest.map_structure(lambda one, more: _joined(one, more, reverse), begin, found)
    last = nest.map_structure(lambda x: x[0 if reverse else -1], every[0])
    return last, every[1] if has_results else None


def _joined(first: Any, others: Any, reverse: bool) -> Any:
    """Put the first entry before the others, or after them."""
    alone = to_tensor(first)[None]
    return concat([others, alone] if reverse else [alone, others], 0)


@documented("Tensor", inputs=_X, start_indices="where to begin, for each axis", shape="sizes")
def slice(inputs: Any, start_indices: Any, shape: Any) -> Any:
    """Cut a part out of a tensor."""
    return gather_scatter.slice(to_tensor(inputs), start_indices, shape)


@documented("Tensor of the shape of ``inputs``", inputs=_X, start_indices="place of the part",
            updates="the part")  # fmt: skip
def slice_update(inputs: Any, start_indices: Any, updates: Any) -> Any:
    """Put a part into a tensor."""
    inputs, updates = to_tensor(inputs), to_tensor(updates)
    places = [
        range_op(begin, begin + count)
        for begin, count in zip(_ints(start_indices), shape(updates), strict=True)
    ]
    from runtime.ops.array.creation import meshgrid

    grid = stack(list(meshgrid(*places, indexing="ij")), -1)
    return gather_scatter.tensor_scatter_nd_update(inputs, grid, updates)


def _ints(values: Any) -> list[Any]:
    return list(values) if isinstance(values, list | tuple) else list(unstack(to_tensor(values)))


@documented("Tensor of shape ``shape``", indices="positions", values="entries; equal places add",
            shape="the shape")  # fmt: skip
def scatter(indices: Any, values: Any, shape: Any) -> Any:
    """Put entries into zeros."""
    return gather_scatter.scatter_nd(to_tensor(indices), to_tensor(values), shape)


@documented("Tensor of the shape of ``inputs``", inputs=_X, indices="positions", updates="entries",
            reduction="None: put in place of the old ones; 'add', 'max' or 'min'")  # fmt: skip
def scatter_update(inputs: Any, indices: Any, updates: Any, reduction: str | None = None) -> Any:
    """Put entries into a tensor."""
    kinds = {
        None: gather_scatter.tensor_scatter_nd_update, "add": gather_scatter.tensor_scatter_nd_add,
        "max": gather_scatter.tensor_scatter_nd_max, "min": gather_scatter.tensor_scatter_nd_min,
    }  # fmt: skip
    if reduction not in kinds:
        raise ValueError(f"reduction must be None, 'add', 'max' or 'min', got {reduction!r}")
    inputs = to_tensor(inputs)
    return kinds[reduction](inputs, to_tensor(indices), constants.cast(updates, inputs.dtype))


