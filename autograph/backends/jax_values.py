"""JAX's values for ``jax``: how they are described, joined, counted and put into lists."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src import core, dtypes
from jax._src.lax.lax import _convert_element_type

from autograph.backends.functional import FunctionalBackend
from autograph.backends.jax_jaxprs import kind_of_tracer
from autograph.errors import ConcreteValueError
from autograph.staging import MISSING, check_supported, user_line

NUMBERS = (bool, int, float, complex)


def cast(value: Any, dtype: Any, weak: bool) -> Any:
    """Convert a value to a dtype, or a type of Python's numbers; a weak one stands for those."""
    if isinstance(dtype, type):
        dtype = jax.typeof(dtype()).dtype  # of 32 or 64 bits, as JAX is set
    return _convert_element_type(value, dtype, weak)


def _shaped(aval: Any, shape: Sequence[int]) -> Any:
    """Describe values of another shape; not how they are laid out, but along which axes they vary.
    """
    if not aval.mat.varying:
        return core.ShapedArray(tuple(shape), aval.dtype, aval.weak_type)
    replicated = jax.sharding.PartitionSpec(*[None] * len(shape))  # type: ignore[no-untyped-call]
    sharding = aval.sharding.update(spec=replicated)
    return aval.update(shape=tuple(shape), sharding=sharding)


class Placeholder:
    """Stands for a value in a text that JAX formats."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __repr__(self) -> str:
        return f"\0{self.number}\1"

    def __format__(self, text: str) -> str:
        return f"\0{self.number}:{text}\1" if text else repr(self)


class ShownArray(np.ndarray):
    """An array with the texts of JAX's arrays."""

    def __repr__(self) -> str:
        text = np.array2string(np.asarray(self), separator=", ", prefix="Array(")
        return f"Array({text}, dtype={self.dtype})"

    def __str__(self) -> str:
        return str(np.asarray(self))

    def __format__(self, text: str) -> str:
        return format(self[()] if not self.shape else np.asarray(self), text)


class JaxValues(FunctionalBackend):
    """The part of the backend that knows JAX's values and operations."""

    # -- values -----------------------------------------------------------------------------------

    def spec_of(self, value: Any) -> Any:
        """JAX's own description: shape, dtype and whether the type is weak."""
        if isinstance(value, (jax.Array, np.ndarray, np.generic, *NUMBERS)):
            try:
                aval = jax.typeof(value)
            except TypeError:
                return None
            return _shaped(aval, aval.shape)
        return None

    def item_spec(self, spec: Any) -> Any:
        """Without the leading axis."""
        return _shaped(spec, spec.shape[1:])

    def buffer_spec(self, spec: Any, count: int) -> Any:
        """With a leading axis."""
        return _shaped(spec, (count, *spec.shape))

    def join_specs(self, left: Any, right: Any) -> Any:
        """Shapes must agree; dtypes are promoted so that both keep their values.

        What joins a number of Python's with an array is no number of Python's: JAX would make it
        one of the array's dtype, which may not hold it.
        """
        if left.shape != right.shape:
            raise TypeError(f"their shapes are {left.shape} and {right.shape}")
        varies = max(left, right, key=lambda spec: len(spec.mat.varying))
        if left.mat.varying | right.mat.varying != varies.mat.varying:
            raise TypeError("they vary along different axes of the mesh")
        try:
            dtype = left.dtype
            if right.dtype != dtype:
                dtype = np.dtype(dtypes.promote_types(dtype, right.dtype))
        except (TypeError, ValueError):
            raise TypeError(f"their dtypes are {left.dtype} and {right.dtype}") from None
        weak = dtype.kind != "b" and all(
            one.weak_type or one.dtype.kind == "b" for one in (left, right)
        )
        return varies.update(dtype=dtype, weak_type=weak)

    def convert_to(self, value: Any, spec: Any) -> Any:
        """Cast to the dtype and weakness of a description, varying as it says."""
        if spec is None:
            self.text(value)
        converted = self._cast_to(value, spec)
        axes = spec.mat.varying - jax.typeof(converted).mat.varying
        return lax.pcast(converted, tuple(axes), to="varying") if axes else converted

    def _cast_to(self, value: Any, spec: Any) -> Any:
        if value is MISSING:
            return lax.full(spec.shape, 0, spec.dtype) if not spec.weak_type else cast(
                lax.full(spec.shape, 0, spec.dtype), spec.dtype, True
            )
        if isinstance(value, jax.Array):
            given = self.spec_of(value)
            if given == spec or given.dtype == spec.dtype == bool:
                return value
        if dtypes.issubdtype(spec.dtype, dtypes.extended):
            return value
        return cast(value, spec.dtype, spec.weak_type)

    def truth(self, value: Any) -> Any:
        """Whether a scalar, or an array of one number, is not zero."""
        if np.size(value) != 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. "
                "Use a.any() or a.all()"
            )
        value = value.reshape(()) if np.ndim(value) else value
        return value if value.dtype == bool else value != 0

    def as_number(self, value: Any) -> Any:
        """An integer scalar as a weak one."""
        return cast(value, int, True)

    def number(self, value: Any, integer: bool = True) -> Any:
        """Convert an integer scalar to a weak one, which stands for a Python int."""
        kind = value.dtype.kind
        if value.shape or (integer and kind not in "iub"):
            if not value.shape:
                check_supported(operator.index, value)
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return self.as_number(value) if kind in "iub" else value

    def shown(self, value: Any, kind: type | None) -> Any:
        """A number of Python's, with the digits of its dtype; or an array, with JAX's text."""
        if isinstance(value, Placeholder):
            return value
        if kind is float and value.dtype != np.float64:
            return float(str(value))
        if kind is not None:
            return kind(value)
        return np.asarray(value).view(ShownArray)

    # -- buffers ----------------------------------------------------------------------------------

    def zeros(self, spec: Any, count: int) -> Any:
        """Zeros."""
        return self.convert_to(MISSING, self.buffer_spec(spec, count))

    def stacked(self, values: Sequence[Any], spec: Any) -> Any:
        """Values along a new axis."""
        values = [self.convert_to(value, spec) for value in values]
        return lax.concatenate([lax.expand_dims(value, (0,)) for value in values], 0)

    def take(self, buffer: Any, index: Any, spec: Any) -> Any:
        """An item."""
        if type(index) is int:
            return lax.index_in_dim(buffer, index, 0, keepdims=False)
        return lax.dynamic_index_in_dim(buffer, index, 0, keepdims=False)

    def gather(self, buffer: Any, indexes: Any) -> Any:
        """Several items."""
        return jnp.take(buffer, indexes, axis=0, mode="clip")

    def put(self, buffer: Any, index: Any, value: Any) -> Any:
        """Another item."""
        return buffer.at[index].set(value, mode="drop", wrap_negative_indices=False)

    def joined(self, left: Any, right: Any) -> Any:
        """One after the other."""
        return lax.concatenate([left, right], 0)

    def same(self, buffer: Any, value: Any) -> Any:
        """Which values of a buffer equal a value."""
        equal = buffer == value
        return equal.reshape(equal.shape[0], -1).all(1) if equal.ndim > 1 else equal

    def first_true(self, flags: Any) -> Any:
        """The place of the first true flag."""
        return jnp.argmax(flags)

    def any_true(self, flags: Any) -> Any:
        """Whether any flag is true."""
        return jnp.any(flags)

    def places(self, flags: Any) -> tuple[Any, Any]:
        """The places of the true flags."""
        return jnp.argsort(~flags, stable=True), self.as_number(jnp.sum(flags))

    def padded(self, buffer: Any, more: int, spec: Any) -> Any:
        """More zeros along the second axis."""
        widths = [(0, 0), (0, more), *[(0, 0)] * (buffer.ndim - 2)]
        return self.convert_to(jnp.pad(buffer, widths), self.spec_of(buffer).update(
            shape=(buffer.shape[0], buffer.shape[1] + more, *buffer.shape[2:])
        ))  # fmt: skip

    def buffer_length(self, buffer: Any) -> int:
        """The size of the leading axis."""
        return int(buffer.shape[0])

    def numbers(self, count: int) -> Any:
        """Numbers from 0, weak as Python's."""
        return cast(lax.iota(jax.typeof(0).dtype, count), int, True)

    def choose(self, test: Any, left: Any, right: Any) -> Any:
        """``jnp.where``."""
        if isinstance(test, bool):
            return left if test else right
        return jnp.where(test, left, right)

    # -- numbers and operators --------------------------------------------------------------------

    def maximum(self, left: Any, right: Any) -> Any:
        """The larger number."""
        return max(left, right) if type(left) is type(right) is int else jnp.maximum(left, right)

    def minimum(self, left: Any, right: Any) -> Any:
        """The smaller number."""
        return min(left, right) if type(left) is type(right) is int else jnp.minimum(left, right)

    def logical_and(self, left: Any, right: Any) -> Any:
        """Whether both hold."""
        if isinstance(left, bool):
            return right if left else False
        if isinstance(right, bool):
            return left if right else False
        return lax.bitwise_and(left, right) if left.shape == right.shape else left & right

    def logical_not(self, value: Any) -> Any:
        """``not value``."""
        return lax.bitwise_not(self.truth(value))

    def equal(self, left: Any, right: Any) -> Any:
        """``left == right``."""
        return left == right

    def text(self, text: Any) -> Any:
        """JAX has no texts."""
        raise ConcreteValueError(
            "a text with a staged value in it is used as a value: JAX has no texts",
            where=user_line(),
            help="print it, raise it, or make it outside of the staged function",
        )

    def items(self, value: Any) -> Any:
        """The items along the leading axis; those of a list of numbers as an array's."""
        if isinstance(value, (list, tuple)):
            specs = self.specs(value)
            if not value or None in specs or any(spec != specs[0] for spec in specs):
                return None
            value = self.stacked(value, specs[0])
        elif not isinstance(value, (jax.Array, np.ndarray)) or not np.ndim(value):
            return None
        array = jnp.asarray(value)
        return array.shape[0], lambda k: self._item(array, k)

    def _item(self, array: Any, k: Any) -> Any:
        item = self.item_of_turn(array, k) if isinstance(k, core.Tracer) else None
        return self.take(array, k, None) if item is None else item

    def item(self, sequence: Any, index: Any) -> Any:
        """An item of a range or of a list of like numbers."""
        if isinstance(sequence, range):
            place = self.position(index, len(sequence), "range object index out of range")
            return sequence.start + place * sequence.step
        if type(sequence) not in (list, tuple) or not sequence:
            return NotImplemented
        if not all(type(item) is type(sequence[0]) and type(item) in NUMBERS for item in sequence):
            return NotImplemented
        kind = type(sequence).__name__
        place = self.position(index, len(sequence), f"{kind} index out of range")
        return self.take(self.stacked(sequence, self.spec_of(sequence[0])), place, None)

    def setitem(self, value: Any, key: Any, item: Any) -> Any:
        """A copy with other items; JAX's arrays are immutable, so ``a[i] = v`` stays an error."""
        return NotImplemented


def scalar(value: Any, kind: type) -> Any:
    """Return a value that ``kind`` takes, an array of one number as a scalar."""
    if not isinstance(value, (jax.Array, np.ndarray)):
        check_supported(kind, value)
    if np.size(value) != 1:
        raise TypeError("Only scalar arrays can be converted to Python scalars.")
    return value.reshape(()) if np.ndim(value) else value


def _to(kind: type) -> Callable[..., Any]:
    return lambda value=0: cast(
        jnp.trunc(v) if kind is int and v.dtype.kind == "f" else v, kind, True
    ) if (v := scalar(value, kind)) is not None else None


def _round(value: Any, digits: Any = None) -> Any:
    if digits is None and kind_of_tracer(value) is not None:
        return cast(jnp.round(value), int, True)
    return jnp.round(value, digits or 0)


def _length(value: Any) -> int:
    check_supported(len, value)
    return len(value)


BUILTINS: dict[Callable[..., Any], Callable[..., Any]] = {
    abs: operator.abs, complex: _to(complex),
    divmod: divmod, float: _to(float), int: _to(int), len: _length, round: _round,
}  # fmt: skip
