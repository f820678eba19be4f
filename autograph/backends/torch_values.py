"""Values on PyTorch: how they are described, joined, counted and printed; for ``torch``."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from autograph.backends import scalars
from autograph.backends.functional import FunctionalBackend
from autograph.backends.library_results import Results
from autograph.backends.list_forms import Column
from autograph.backends.loops import Guard
from autograph.backends.scalars import ComputesScalars, StagedScalar
from autograph.errors import ConcreteValueError
from autograph.named_tuples import NamedTuple
from autograph.staging import (
    MISSING,
    JoinedNumber,
    StagedList,
    StagedUnion,
    as_staged_list,
    check_supported,
    marked_as_number,
    user_line,
)

DTYPES: dict[type, Any] = {bool: torch.bool, int: torch.int64, float: torch.float64}


class TorchSpec(NamedTuple):
    """Type of a staged value: Python's type if it is a number, dtype, shape and device."""

    kind: type | None
    dtype: Any
    shape: tuple[int, ...]

    def __repr__(self) -> str:
        if self.kind is not None:
            return f"a Python {self.kind.__name__}"
        return f"a tensor of dtype {self.dtype} and shape {self.shape}"


_acts: dict[int, Callable[..., Any]] = {}
"""What operations of graphs call, by number."""
_numbers = itertools.count(1)

_library = torch.library.Library("autograph", "DEF")
_library.define("call(int number, Tensor[] values) -> ()")
_library.define("value(int number, Tensor[] values, ScalarType dtype) -> Tensor")


def _call(number: int, values: Sequence[Any]) -> None:
    _acts[number](*[value.detach().numpy(force=True) for value in values])


def _value(number: int, values: Sequence[Any], dtype: Any) -> Any:
    result = _acts[number](*[value.detach().numpy(force=True) for value in values])
    return torch.tensor(result, dtype=dtype)


_library.impl("call", _call, "CompositeExplicitAutograd")
_library.impl("value", _value, "CompositeExplicitAutograd")
torch.library.register_fake("autograph::call", lambda number, values: None, lib=_library)
torch.library.register_fake(
    "autograph::value", lambda number, values, dtype: torch.empty((), dtype=dtype), lib=_library
)
torch.fx.node.has_side_effect(torch.ops.autograph.call.default)


class TorchValues(Results, ComputesScalars, FunctionalBackend):
    """The part of the backend that knows PyTorch's values and operations."""

    def python_type(self, value: object) -> type | None:
        """The type of a Python number."""
        return value.kind if isinstance(value, StagedScalar) else None

    def number_type(self, spec: Any) -> type | None:
        """The same of a description."""
        return spec.kind if isinstance(spec, TorchSpec) else None

    def number_kind(self, spec: Any) -> type | None:
        """Numbers keep their types."""
        return self.number_type(spec)

    def made(self, spec: Any, tensor: Any) -> Any:
        """The value that a tensor stands for."""
        return tensor if spec.kind is None else StagedScalar(self, spec.kind, tensor)

    # -- values -----------------------------------------------------------------------------------

    def tensor(self, value: Any) -> Any:
        """A value as a tensor."""
        if isinstance(value, StagedUnion):
            value = value.ag__operand()
        if type(value) in DTYPES:
            return self.constant(value)
        return value.value if isinstance(value, StagedScalar) else value

    def spec_of(self, value: Any) -> Any:
        """Type, dtype and shape."""
        kind = scalars.kind_of(value)
        if kind is not None:
            return None if kind is str else TorchSpec(kind, DTYPES[kind], ())
        if isinstance(value, torch.Tensor):
            return TorchSpec(None, value.dtype, tuple(value.shape))
        return None

    def item_spec(self, spec: Any) -> Any:
        """Without the leading axis."""
        return TorchSpec(None, spec.dtype, spec.shape[1:])

    def buffer_spec(self, spec: Any, count: int) -> Any:
        """With a leading axis."""
        return TorchSpec(None, spec.dtype, (count, *spec.shape))

    def join_specs(self, left: Any, right: Any) -> Any:
        """Shapes must agree; a Python number takes the dtype of a tensor of its kind."""
        if left.kind is not None and right.kind is not None:
            kind = max(left.kind, right.kind, key=scalars.KINDS.index)
            return TorchSpec(kind, DTYPES[kind], ())
        if left.shape != right.shape:
            raise TypeError(f"their shapes are {left.shape} and {right.shape}")
        if left.kind is None and right.kind is None:
            if left.dtype != right.dtype:
                raise TypeError(f"their dtypes are {left.dtype} and {right.dtype}")
            return left
        weak, strong = (left, right) if left.kind is not None else (right, left)
        if torch.result_type(torch.empty(1, dtype=strong.dtype), weak.kind()) != strong.dtype:
            raise TypeError(f"it is {left!r} on one path and {right!r} on the other")
        return strong

    def convert_to(self, value: Any, spec: Any) -> Any:
        """Cast to the dtype of a description."""
        if value is MISSING:
            return self.made(spec, torch.zeros(spec.shape, dtype=spec.dtype))
        tensor = self.tensor(value)
        return self.made(spec, tensor if tensor.dtype == spec.dtype else tensor.to(spec.dtype))

    def truth(self, value: Any) -> Any:
        """Whether one number is not zero."""
        tensor = self.tensor(value)
        if tensor.dim():
            tensor = tensor.reshape(())
        return StagedScalar(self, bool, tensor if tensor.dtype == torch.bool else tensor != 0)

    def compute(self, name: str, kind: type, *values: Any) -> Any:
        """An operation."""
        if name == "pos":
            return values[0]
        return OPERATIONS[name](*values)

    def constant(self, value: Any) -> Any:
        """A number as a tensor."""
        if isinstance(value, str):
            raise self.no_texts()
        return torch.full((), value, dtype=DTYPES[type(value)])

    def cast(self, value: Any, kind: type) -> Any:
        """A tensor in the dtype of a kind."""
        return value if value.dtype == DTYPES[kind] else value.to(DTYPES[kind])

    def like(self, scalar: StagedScalar, met: Any) -> Any:
        """A number in the dtype that it takes where it meets a tensor."""
        kind = scalar.kind
        dtype = torch.result_type(torch.empty(1, dtype=met.dtype, device="meta"), kind())
        tensor = scalar.value.to(dtype)
        return marked_as_number(tensor, self)

    def kind_of_value(self, value: Any) -> type:
        """Python's type for a tensor."""
        if value.dtype == torch.bool:
            return bool
        return float if value.dtype.is_floating_point else int

    def number(self, value: Any, integer: bool = True) -> Any:
        """An integer as a Python int."""
        number = self.scalar(value)
        if number.kind is int or not integer and number.kind is float:
            return number
        if number.kind is bool:
            return self.builtins[int](number)
        raise TypeError(f"'{number.kind.__name__}' object cannot be interpreted as an integer")

    as_number = number

    def shown(self, value: Any, kind: type | None) -> Any:
        """A number of Python's; or what the tensor holds."""
        if kind is not None:
            return kind(value)
        return value.item() if not np.shape(value) else value

    # -- effects ----------------------------------------------------------------------------------

    def run_at(
        self, act: Callable[[list[Any]], object], values: Sequence[Any], guards: Sequence[Guard],
        raises: bool,
    ) -> None:
        """An operation that calls Python."""
        number = next(_numbers)
        _acts[number] = lambda *arrays: act(list(arrays))
        torch.ops.autograph.call.default(number, list(map(self.tensor, values)))

    def call_python(self, function: Any, kind: type | None, *args: Any, raises: Any = ()) -> Any:
        """What a Python function gives."""
        if kind is None or kind is str or any(scalars.kind_of(arg) is str for arg in args):
            raise self.no_texts()
        parts: list[Any] = []
        templates = [self.template(arg, parts) for arg in args]
        number = next(_numbers)
        _acts[number] = lambda *arrays: function(*[made(list(arrays)) for made in templates])
        tensors = list(map(self.tensor, parts))
        return StagedScalar(
            self, kind, torch.ops.autograph.value.default(number, tensors, DTYPES[kind])
        )

    def no_texts(self) -> Exception:
        """The error for texts."""
        return ConcreteValueError(
            "a text with a staged value in it is used as a value: PyTorch has no texts",
            where=user_line(),
            help="print it, raise it, or make it outside of the traced function",
        )

    def text(self, text: Any) -> Any:
        """PyTorch has no texts."""
        raise self.no_texts()

    def result_of(self, value: Any) -> Any:
        """A tensor; of a list of staged length its items, or a buffer and the length."""
        if isinstance(value, StagedList):
            handle = as_staged_list(value).prefix.handle
            (column, *others) = handle.buffers
            is_column = isinstance(column, Column)
            parts = [*column.buffers, column.length] if is_column else [column]
            if not others and len(parts) == 1 + is_column:
                if type(handle.length) is not int or handle.length != handle.capacity:
                    parts.append(self.tensor(handle.length))
                return parts[0] if len(parts) == 1 else tuple(parts)
        elif isinstance(value, (StagedScalar, JoinedNumber)):
            return self.tensor(value)
        raise ConcreteValueError(
            f"{value!r} is no result for PyTorch",
            where=user_line(),
            help="return a tensor on every path, and a flag that says which path was taken",
        )

    # -- buffers ----------------------------------------------------------------------------------

    def zeros(self, spec: Any, count: int) -> Any:
        """Zeros."""
        return torch.zeros((count, *spec.shape), dtype=spec.dtype)

    def stacked(self, values: Sequence[Any], spec: Any) -> Any:
        """Values along a new axis."""
        return torch.stack([self.tensor(self.convert_to(value, spec)) for value in values])

    def take(self, buffer: Any, index: Any, spec: Any) -> Any:
        """An item."""
        places = self.tensor(index).reshape(1)
        item = torch.index_select(buffer, 0, places).reshape(buffer.shape[1:])
        return item if spec is None else self.made(spec, item)

    def gather(self, buffer: Any, indexes: Any) -> Any:
        """Several items."""
        return torch.index_select(buffer, 0, indexes.clamp(0, max(buffer.shape[0] - 1, 0)))

    def put(self, buffer: Any, index: Any, value: Any) -> Any:
        """Another item."""
        places = torch.arange(buffer.shape[0]) == self.tensor(index)
        places = places.reshape(-1, *[1] * (buffer.dim() - 1))
        return torch.where(places, self.tensor(value).to(buffer.dtype), buffer)

    def joined(self, left: Any, right: Any) -> Any:
        """One after the other."""
        return torch.cat([left, right])

    def padded(self, buffer: Any, more: int, spec: Any) -> Any:
        """More zeros along the second axis."""
        size, _, *rest = buffer.shape
        zeros = torch.zeros((size, more, *rest), dtype=buffer.dtype)
        return torch.cat([buffer, zeros], 1)

    def buffer_length(self, buffer: Any) -> int:
        """The size of the leading axis."""
        return int(buffer.shape[0])

    def numbers(self, count: int) -> Any:
        """Numbers from 0."""
        return torch.arange(count)

    def choose(self, test: Any, left: Any, right: Any) -> Any:
        """``torch.where``."""
        if isinstance(test, bool):
            return left if test else right
        chosen = torch.where(self.tensor(test), self.tensor(left), self.tensor(right))
        kind = scalars.kind_of(left)
        return chosen if kind is None else StagedScalar(self, kind, chosen)

    def same(self, buffer: Any, value: Any) -> Any:
        """Which values of a buffer equal a value."""
        equal = buffer == self.tensor(value)
        return equal.flatten(1).all(1) if equal.dim() > 1 else equal

    def first_true(self, flags: Any) -> Any:
        """The place of the first true flag."""
        return StagedScalar(self, int, torch.argmax(flags.to(torch.int64)))

    def any_true(self, flags: Any) -> Any:
        """Whether any flag is true."""
        return torch.any(flags)

    def places(self, flags: Any) -> tuple[Any, Any]:
        """The places of the true flags."""
        places = torch.argsort((~flags).to(torch.int64), stable=True)
        return places, StagedScalar(self, int, torch.sum(flags))

    # -- numbers and operators --------------------------------------------------------------------

    def maximum(self, left: Any, right: Any) -> Any:
        """The larger number."""
        return StagedScalar(self, int, torch.maximum(self.tensor(left), self.tensor(right)))

    def minimum(self, left: Any, right: Any) -> Any:
        """The smaller number."""
        return StagedScalar(self, int, torch.minimum(self.tensor(left), self.tensor(right)))

    def logical_and(self, left: Any, right: Any) -> Any:
        """Whether both hold."""
        if isinstance(left, bool):
            return right if left else False
        if isinstance(right, bool):
            return left if right else False
        if any(isinstance(value, torch.Tensor) and value.dim() for value in (left, right)):
            return self.tensor(left) & self.tensor(right)
        both = self.tensor(self.truth(left)) & self.tensor(self.truth(right))
        return StagedScalar(self, bool, both)

    def logical_not(self, value: Any) -> Any:
        """``not value``."""
        return StagedScalar(self, bool, ~self.tensor(self.truth(value)))

    def equal(self, left: Any, right: Any) -> Any:
        """``left == right``."""
        return left == right

    def items(self, value: Any) -> Any:
        """The items along the leading axis."""
        spec = None
        if isinstance(value, (list, tuple)):
            specs = self.specs(value)
            if not value or None in specs or any(one != specs[0] for one in specs):
                return None
            spec = specs[0]
            if not isinstance(spec, TorchSpec):
                return None
            value = self.stacked(value, spec)
        elif not isinstance(value, torch.Tensor) or not value.dim():
            return None
        array = value
        return array.shape[0], lambda k: self.take(array, k, spec)

    def length(self, value: Any) -> Any:
        """``len(value)``."""
        check_supported(len, value)
        return len(value)


OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": torch.add, "sub": torch.sub, "mul": torch.mul, "truediv": torch.true_divide,
    "floordiv": torch.floor_divide, "mod": torch.remainder, "pow": torch.pow,
    "lt": torch.lt, "le": torch.le, "gt": torch.gt, "ge": torch.ge, "eq": torch.eq,
    "ne": torch.ne, "and_": torch.bitwise_and, "or_": torch.bitwise_or, "xor": torch.bitwise_xor,
    "lshift": torch.bitwise_left_shift, "rshift": torch.bitwise_right_shift, "neg": torch.neg,
    "abs": torch.abs, "invert": torch.bitwise_not, "round": torch.round,
}  # fmt: skip
