"""Assertions of values, shapes and types of tensors: ``assert_...``, ``check_numerics``.

What is known statically is checked at once.  Assertions of values raise InvalidArgumentError in
program order: eagerly at once, in a graph when it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.control_flow.assertion_failures import (
    ComparisonFailure,
    SignFailure,
    ToleranceFailure,
)
from runtime.ops.control_flow.print_assert import assert_op
from runtime.ops.math.comparison import equal, not_equal
from runtime.ops.math.elementwise import abs as absolute
from runtime.ops.op import CONTAINED, RAISES, STATEFUL, Missing, define
from runtime.ops.rules.inference import nothing
from runtime.ops.rules.samples import case, spread
from runtime.ops.rules.static_arguments import static_int
from runtime.types.aliases import DTypeLike, TensorLike
from runtime.types.dtypes import Array, DType, as_dtype, float32
from runtime.types.errors import InvalidArgumentError
from runtime.types.shapes import TensorShape, TensorSpec
from runtime.types.value import Value

__all__ = [
    "assert_equal", "assert_greater", "assert_greater_equal", "assert_integer", "assert_less",
    "assert_less_equal", "assert_near", "assert_negative", "assert_non_negative",
    "assert_non_positive", "assert_none_equal", "assert_positive", "assert_proper_iterable",
    "assert_rank",
    "assert_rank_at_least", "assert_rank_in", "assert_same_float_dtype", "assert_scalar",
    "assert_type", "check_numerics", "is_numeric_tensor", "verify_tensor_all_finite",
]  # fmt: skip


def _pair(x: Any, y: Any) -> tuple[Any, Any]:
    """Both as tensors of one dtype: a Python number takes the other's."""
    if isinstance(y, Value) and not isinstance(x, Value):
        return convert_to_tensor(x, y.dtype), y  # type: ignore[attr-defined]
    first = convert_to_tensor(x)
    return first, convert_to_tensor(y, first.dtype)


COMPARING = """Assert that ``x {} y`` holds for every element.

Args:
    x: tensor of any dtype that compares so.
    y: tensor of the same dtype that broadcasts.
    message: text at the beginning of the message.
    summarize: number of elements that the message shows; 3 by default, -1 for all.
Returns:
    None; in a graph the operation that asserts.
Raises:
    InvalidArgumentError: the condition does not hold, eagerly or when the graph runs.
"""
SIGNED = """Assert that ``x {}`` holds for every element.

Args:
    x: tensor of an integer or floating dtype.
    message: text at the beginning of the message.
    summarize: number of elements that the message shows; 3 by default, -1 for all.
Returns:
    None; in a graph the operation that asserts.
Raises:
    InvalidArgumentError: the condition does not hold, eagerly or when the graph runs.
"""


def _comparing(
    name: str, sign: str, compare: Callable[[Any, Any], Any], where: bool
) -> Callable[..., Any]:
    def check(x: TensorLike, y: TensorLike, message: str | None = None,
              summarize: int | None = None, name: str | None = None) -> Any:  # fmt: skip
        first, second = _pair(x, y)
        most = 3 if summarize is None else summarize
        fail = ComparisonFailure(message, sign, most, where)
        return _asserted(compare(first, second), (first, second), fail, name)

    check.__name__ = check.__qualname__ = name
    check.__doc__ = COMPARING.format(sign)
    return check


def _asserted(holds: Any, values: Sequence[Any], fail: Callable[..., BaseException],
              name: str | None) -> Any:  # fmt: skip
    """None, or the operation that asserts."""
    return assert_op(convert_to_tensor(holds), holds, *values, fail=fail, name=name)


assert_equal = _comparing("assert_equal", "==", lambda x, y: _equal(x, y), True)
assert_none_equal_ = _comparing("assert_none_equal", "!=", lambda x, y: _differ(x, y), True)
assert_less = _comparing("assert_less", "<", lambda x, y: x < y, False)
assert_less_equal = _comparing("assert_less_equal", "<=", lambda x, y: x <= y, False)
assert_greater = _comparing("assert_greater", ">", lambda x, y: x > y, False)
assert_greater_equal = _comparing("assert_greater_equal", ">=", lambda x, y: x >= y, False)


def _equal(x: Any, y: Any) -> Any:
    return equal(x, y, incompatible_shape_error=True)


def _differ(x: Any, y: Any) -> Any:
    return not_equal(x, y, incompatible_shape_error=True)


def assert_none_equal(x: TensorLike, y: TensorLike, summarize: int | None = None,
                      message: str | None = None, name: str | None = None) -> Any:  # fmt: skip
    """Assert that ``x != y`` holds for every element.

    Args:
        x: tensor of any dtype.
        y: tensor of the same dtype that broadcasts.
        summarize: number of elements that the message shows; 3 by default, -1 for all.
        message: text at the beginning of the message.
    Returns:
        None; in a graph the operation that asserts.
    Raises:
        InvalidArgumentError: the condition does not hold, eagerly or when the graph runs.
    """
    return assert_none_equal_(x, y, message, summarize, name)


def assert_near(x: TensorLike, y: TensorLike, rtol: Any = None, atol: Any = None,
                message: str | None = None, summarize: int | None = None,
                name: str | None = None) -> Any:  # fmt: skip
    """Assert that ``|x - y| <= atol + rtol * |y|`` holds for every element.

    Args:
        x: tensor of a numeric dtype.
        y: tensor of the same dtype that broadcasts.
        rtol: relative tolerance; by default 10 times the dtype's precision.
        atol: absolute tolerance; by default 10 times the dtype's precision.
        message: text at the beginning of the message.
        summarize: number of elements that the message shows; 3 by default, -1 for all.
    Returns:
        None; in a graph the operation that asserts.
    Raises:
        InvalidArgumentError: the condition does not hold, eagerly or when the graph runs.
    """
    first, second = _pair(x, y)
    kind = first.dtype.real_dtype
    default = 10 * np.finfo(kind.as_numpy_dtype).eps if kind.is_floating else 0
    tolerances = [default if t is None else t for t in (rtol, atol)]
    relative, most_off = (convert_to_tensor(t, kind) for t in tolerances)
    most = 3 if summarize is None else summarize
    is_near = absolute(first - second) <= most_off + relative * absolute(second)
    fail = ToleranceFailure(message, most)
    return _asserted(is_near, (first, second, relative, most_off), fail, name)


def _signed(name: str, sign: str, test: Callable[[Any], Any]) -> Callable[..., Any]:
    def check(x: TensorLike, message: str | None = None, summarize: int | None = None,
              name: str | None = None) -> Any:  # fmt: skip
        value = convert_to_tensor(x)
        most = 3 if summarize is None else summarize
        fail = SignFailure(message, sign, most)
        return _asserted(test(value), (value,), fail, name)

    check.__name__ = check.__qualname__ = name
    check.__doc__ = SIGNED.format(sign)
    return check


assert_positive = _signed("assert_positive", "> 0", lambda x: x > 0)
assert_negative = _signed("assert_negative", "< 0", lambda x: x < 0)
assert_non_negative = _signed("assert_non_negative", ">= 0", lambda x: x >= 0)
assert_non_positive = _signed("assert_non_positive", "<= 0", lambda x: x <= 0)


# -- types ----------------------------------------------------------------------------------------


def _prefix(message: str | None) -> str:
    return f"{message}.  " if message else ""


def _named(tensor: Any) -> str:
    name = getattr(tensor, "op", None) if getattr(tensor, "spec", None) is not None else None
    return "tensor" if name is None else str(tensor.name)


def assert_integer(x: TensorLike, message: str | None = None, name: str | None = None) -> None:
    """Assert that a tensor has an integer dtype.

    Args:
        x: tensor of any dtype.
        message: text at the beginning of the message.
    Returns:
        None.
    Raises:
        TypeError: the dtype is another one.
    """
    tensor = convert_to_tensor(x)
    if not tensor.dtype.is_integer:
        raise TypeError(
            f'{_prefix(message)}Expected "x" to be integer type.  Found: {_named(tensor)} of '
            f"dtype {tensor.dtype!r}"
        )


def assert_type(tensor: TensorLike, tf_type: DTypeLike, message: str | None = None,
                name: str | None = None) -> None:  # fmt: skip
    """Assert that a tensor has a dtype.

    Args:
        tensor: tensor of any dtype.
        tf_type: dtype that it must have.
        message: text at the beginning of the message.
    Returns:
        None.
    Raises:
        TypeError: the dtype is another one.
    """
    value, expected = convert_to_tensor(tensor), as_dtype(tf_type)
    if value.dtype is not expected:
        raise TypeError(
            f"{_prefix(message)}{_named(value)} must be of type {expected!r}; got {value.dtype!r}"
        )


def assert_same_float_dtype(
    tensors: Iterable[Any] | None = None, dtype: DTypeLike | None = None
) -> DType:
    """Assert that tensors share a floating dtype.

    Args:
        tensors: tensors; None among them is ignored.
        dtype: dtype that they must have; by default that of the first.
    Returns:
        The dtype; float32 for no tensors.
    Raises:
        ValueError: the dtypes differ, or are not floating.
    """
    common = None if dtype is None else as_dtype(dtype)
    for tensor in tensors or ():
        if tensor is None:
            continue
        kind = convert_to_tensor(tensor).dtype
        if common is not None and kind is not common:
            raise ValueError(f"{tensor!r}, type={kind!r}, must be of the same type ({common!r}).")
        common = kind
    common = common or float32
    if not common.is_floating:
        raise ValueError(f"Expected floating point type, got {common!r}.")
    return common


def is_numeric_tensor(tensor: TensorLike) -> bool:
    """Test whether a value is a tensor of a numeric dtype.

    Args:
        tensor: any value.
    Returns:
        Python's True or False.
    """
    dtype = getattr(tensor, "dtype", None)
    if not isinstance(tensor, Value) or not isinstance(dtype, DType):
        return False
    return dtype.is_integer or dtype.is_floating or dtype.is_complex


def assert_proper_iterable(values: Any) -> None:
    """Assert that a value is a collection of values, and no tensor, array or string.

    Args:
        values: any value.
    Returns:
        None.
    Raises:
        TypeError: it is something else.
    """
    if isinstance(values, Value | np.ndarray | str | bytes):
        raise TypeError(
            f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}'
        )
    if not hasattr(values, "__iter__"):
        raise TypeError(f'Expected argument "values" to be iterable.  Found: {type(values)}')


def _check_numerics(tensor: Array, *, message: str) -> Any:
    if not np.isfinite(tensor).all():
        tests = (("Inf", np.isinf), ("NaN", np.isnan))
        kinds = [name for name, wrong in tests if wrong(tensor).any()]
        raise InvalidArgumentError(f"{message} : Tensor had {' and '.join(kinds)} values")
    return tensor


check_numerics_op = define(
    "check_numerics",
    inputs="tensor",
    kernel=_check_numerics,
    infer=lambda tensor, *, message: TensorSpec(tensor.shape, tensor.dtype),
    dtype_kinds="fc",
    grad=lambda tensor, y, dy, **attrs: (dy,),
    node_name="CheckNumerics",
    traits=(STATEFUL, RAISES, CONTAINED),
    samples=lambda: [case(spread(-1, 1, 2, 3), message="")],
    doc="Return the tensor; raise, with a message, if it holds NaN or infinite numbers.",
)


def check_numerics(tensor: TensorLike, message: str, name: str | None = None) -> Any:
    """Assert that a tensor holds no NaN and no infinite number.

    Args:
        tensor: tensor of a floating dtype.
        message: text at the beginning of the message.
    Returns:
        The tensor.
    Raises:
        InvalidArgumentError: a number is not finite, eagerly or when the graph runs; the dtype is
            another one (also a TypeError).
    """
    return check_numerics_op(tensor, message=str(message), name=name)


def assert_all_finite(x: TensorLike, message: str, name: str | None = None) -> Any:
    """Assert that a tensor holds no NaN and no infinite number.

    Args:
        x: tensor of a floating dtype.
        message: text at the beginning of the message.
    Returns:
        The tensor.
    Raises:
        InvalidArgumentError: a number is not finite, eagerly or when the graph runs; the dtype is
            another one (also a TypeError).
    """
    return check_numerics(x, message, name)


def verify_tensor_all_finite(x: TensorLike, message: str, name: str | None = None) -> Any:
    """Assert that a tensor holds no NaN and no infinite number, by TensorFlow 1's name.

    Args:
        x: tensor of a floating dtype.
        message: text at the beginning of the message.
    Returns:
        The tensor.
    Raises:
        InvalidArgumentError: a number is not finite, eagerly or when the graph runs; the dtype is
            another one (also a TypeError).
    """
    return check_numerics(x, message, name)


# -- shapes ---------------------------------------------------------------------------------------


def _rank(x: Array, *, test: Callable[[int], bool], fail: Callable[..., Any]) -> tuple[()]:
    if not test(np.ndim(x)):
        raise fail(x)
    return ()


rank_op = define(
    "assert_rank",
    inputs="x",
    same_dtype_inputs=None,
    kernel=_rank,
    infer=nothing,
    grad=None,
    traits=(STATEFUL, RAISES, CONTAINED),
    samples=Missing("it has no outputs"),
    doc="Raises ``fail(array)`` unless ``test(rank)``.",
)


def _rank_checked(
    x: Any, test: Callable[[int], bool], expectation: str, message: str | None, name: str | None
) -> Any:
    tensor = convert_to_tensor(x)
    rank = tensor.shape.rank

    def wrong(shape: Any) -> str:
        return (
            f"{_prefix(message)}Tensor {_named(tensor)} must have {expectation}.  Received rank "
            f"{len(shape)}, shape {TensorShape(shape)}"
        )

    if rank is not None:
        if not test(rank):
            raise ValueError(wrong(tensor.shape))
        return None

    def fail(array: Array) -> BaseException:
        return InvalidArgumentError(wrong(np.shape(array)))

    return rank_op(tensor, test=test, fail=fail, name=name)


def assert_rank(
    x: TensorLike, rank: TensorLike, message: str | None = None, name: str | None = None
) -> Any:
    """Assert that a tensor has a rank.

    Args:
        x: tensor of any dtype.
        rank: Python int.
        message: text at the beginning of the message.
    Returns:
        None; in a graph, for an unknown rank, the operation that asserts.
    Raises:
        ValueError: the static rank is another one.
        InvalidArgumentError: the rank is another one when the graph runs.
    """
    number = static_int(rank, "rank")
    return _rank_checked(x, lambda r: r == number, f"rank {number}", message, name)


def assert_rank_at_least(
    x: TensorLike, rank: TensorLike, message: str | None = None, name: str | None = None
) -> Any:
    """Assert that a tensor has a least rank.

    Args:
        x: tensor of any dtype.
        rank: Python int.
        message: text at the beginning of the message.
    Returns:
        None; in a graph, for an unknown rank, the operation that asserts.
    Raises:
        ValueError: the static rank is less.
        InvalidArgumentError: the rank is less when the graph runs.
    """
    number = static_int(rank, "rank")
    return _rank_checked(x, lambda r: r >= number, f"rank at least {number}", message, name)


def assert_rank_in(x: TensorLike, ranks: Iterable[Any], message: str | None = None,
                   name: str | None = None) -> Any:  # fmt: skip
    """Assert that a tensor has one of several ranks.

    Args:
        x: tensor of any dtype.
        ranks: Python ints.
        message: text at the beginning of the message.
    Returns:
        None; in a graph, for an unknown rank, the operation that asserts.
    Raises:
        ValueError: the static rank is another one.
        InvalidArgumentError: the rank is another one when the graph runs.
    """
    numbers = tuple([static_int(rank, "rank") for rank in ranks])
    return _rank_checked(x, lambda r: r in numbers, f"rank in {numbers}", message, name)


def assert_scalar(tensor: TensorLike, message: str | None = None, name: str | None = None) -> Any:
    """Assert that a tensor is a scalar.

    Args:
        tensor: tensor of any dtype.
        message: text at the beginning of the message.
    Returns:
        The tensor.
    Raises:
        ValueError: the static shape has axes.
        InvalidArgumentError: the shape has axes when the graph runs.
    """
    value = convert_to_tensor(tensor)
    if value.shape.dims not in (None, ()):
        raise ValueError(f"{_prefix(message)}Expected scalar shape, saw shape: {value.shape}.")
    if value.shape.dims is None:
        assert_rank(value, 0, message, name)
    return value


def _pairs(shapes: Any) -> list[tuple[Any, tuple[Any, ...]]]:
    """Tensors and their wanted shapes, each a tuple of sizes, names, None and a leading ``...``."""
    items = shapes.items() if isinstance(shapes, dict) else shapes
    pairs = []
    for tensor, dims in items:
        if isinstance(dims, str) or not hasattr(dims, "__iter__"):
            dims = () if dims is None or dims == () else (dims,)
        pairs.append((convert_to_tensor(tensor), tuple(dims)))
    return pairs


def assert_shapes(shapes: Any, data: Any = None, summarize: int | None = None,
                  message: str | None = None, name: str | None = None) -> None:  # fmt: skip
    """Assert sizes of tensors: ``[(x, ("N", 3)), (y, ("N",)), (z, (..., "N"))]``.

    A size is a number, None for any, or a name, which stands for one size everywhere; ``...`` or
    ``'*'`` at the front stands for any axes.

    Args:
        shapes: pairs of a tensor and its sizes, or a dict of them.
        data: ignored.
        summarize: ignored.
        message: text at the beginning of the message.
    Returns:
        None.
    Raises:
        ValueError: a static size is another one, or a symbol is misplaced.
        InvalidArgumentError: a size is another one when the graph runs.
    """
    sizes: dict[str, tuple[Any, str]] = {}
    for number, (tensor, expected) in enumerate(_pairs(shapes)):
        open_front = bool(expected) and expected[0] in (..., "*")
        dims = expected[1:] if open_front else expected
        if open_front:
            assert_rank_at_least(tensor, len(dims), message, name)
        else:
            assert_rank(tensor, len(dims), message, name)
        for k, size in enumerate(dims):
            axis = k - len(dims) if open_front else k
            subject = f"Tensor {_named(tensor)} number {number} of the list, dimension {axis},"
            if size in (..., "*"):
                raise ValueError(
                    f"{_prefix(message)}{subject} is {size!r}: this stands for any axes at the "
                    "front "
                    "only"
                )
            if size is None or size == ".":
                continue
            actual = _size(tensor, axis)
            if not isinstance(size, str):
                _same_size(actual, size, f"{_prefix(message)}{subject}")
            elif size not in sizes:
                sizes[size] = (actual, f"{subject[:-1]} is {size!r}")
            else:
                known_size, who = sizes[size]
                _same_size(actual, known_size, f"{_prefix(message)}{who}.  {subject}")


def _size(tensor: Any, axis: int) -> Any:
    """A size: a number, or a tensor where it is not known yet."""
    dims = tensor.shape.dims
    if dims is not None and dims[axis] is not None:
        return dims[axis]
    return shape_of(tensor)[axis]


def _same_size(actual: Any, expected: Any, subject: str) -> None:
    if isinstance(actual, int) and isinstance(expected, int):
        if actual != expected:
            raise ValueError(f"{subject} must have size {expected}.  Received size {actual}")
        return

    def fail(_: Array, a: Array, b: Array) -> BaseException:
        return InvalidArgumentError(f"{subject} must have size {b}.  Received size {a}")

    first, second = _pair(actual, expected)
    _asserted(first == second, (first, second), fail, None)
