"""Interface of an exported function: what C gives and gets, from the trace of a function.

Numbers are passed by value.  An array is the address of its elements, row by row, with an argument
for each size that the trace does not know.  Results are written to buffers of the caller's.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.packed_lists import is_packable
from runtime.types import treedef
from runtime.types.errors import UnimplementedError

C_TYPES = {
    "bool": "bool", "int8": "int8_t", "int16": "int16_t", "int32": "int32_t", "int64": "int64_t",
    "uint8": "uint8_t", "uint16": "uint16_t", "uint32": "uint32_t", "uint64": "uint64_t",
    "float16": "uint16_t", "bfloat16": "uint16_t", "float32": "float", "float64": "double",
    "complex64": "float", "complex128": "double",
}  # fmt: skip
"""By dtype: the C type of elements; two floats are a complex number, the bits of narrow floats are
unsigned ints."""
_C_WORDS = """
    alignas alignof and asm auto bool break call case catch char class const constexpr continue
    default delete do double else enum explicit extern false float for friend goto if inline int
    long main mutable namespace new not nullptr operator or private protected public register
    restrict return short signed sizeof static struct switch template this throw true try typedef
    typename union unsigned using virtual void volatile while xor
"""
"""Words that name nothing in C or C++, and the name of the last argument."""


class Slot(NamedTuple):
    """Argument or result.

    name   its name in C
    type   its type in native code
    dtype  NumPy's dtype of the number or the elements
    dims   sizes of an array, None where the caller says them; None for a number
    """

    name: str
    type: ir.Type
    dtype: np.dtype[Any]
    dims: tuple[int | None, ...] | None

    @property
    def c_type(self) -> str:
        """The C type of the number or the elements."""
        return C_TYPES[self.dtype.name]

    @property
    def unknown(self) -> list[int]:
        """The axes whose sizes are not known."""
        return [axis for axis, size in enumerate(self.dims or ()) if size is None]

    @property
    def described(self) -> str:
        """What documentation says of it, such as ``float32[?, 3]``."""
        if self.dims is None:
            return self.dtype.name
        return f"{self.dtype.name}[{', '.join('?' if n is None else str(n) for n in self.dims)}]"

    def size_name(self, axis: int) -> str:
        """Return the name of the argument that is the size of an axis."""
        return f"{self.name}_size{axis}"


class Interface(NamedTuple):
    """Name, arguments and results of a function, the text that describes it, and the variables that
    it writes (variables.py).
    """

    name: str
    arguments: tuple[Slot, ...]
    results: tuple[Slot, ...]
    about: str
    state: tuple[Any, ...] = ()

    @property
    def names(self) -> list[str]:
        """The names of the functions."""
        return [self.name, *([f"{self.name}_init"] if self.state else [])]


def interface_of(trace: Any, module: ir.KernelModule, name: str) -> Interface:
    """Return the interface of a trace; UnimplementedError for what C cannot give or get."""
    taken: set[str] = set()
    specs = [tensor.spec for tensor in trace.graph.inputs]
    labels = [tensor.op.name for tensor in trace.graph.inputs]
    arguments = tuple(
        _slot(c_name(label, taken), value.type, spec, f"the argument {label!r}")
        for label, value, spec in zip(labels, module.entry.block.params, specs, strict=True)
    )
    outputs = [tensor.spec for tensor in trace.graph.outputs]
    results = tuple(
        _slot(c_name(label, taken), type, spec, f"the result {label!r}")
        for label, type, spec in zip(
            _result_names(trace, len(outputs)), module.entry.gives, outputs, strict=True
        )
    )
    return Interface(name, arguments, results, _about(trace))


def c_name(label: str, taken: set[str]) -> str:
    """Return a name for C that is not taken yet, and take it."""
    name = re.sub(r"\W", "_", label, flags=re.ASCII).strip("_") or "value"
    if name[0].isdigit() or name in _C_WORDS.split() or keyword.iskeyword(name):
        name = f"{name}_" if not name[0].isdigit() else f"n{name}"
    unique, number = name, 1
    while unique in taken:
        number += 1
        unique = f"{name}_{number}"
    taken.add(unique)
    return unique


def _slot(name: str, type: ir.Type, spec: Any, what: str) -> Slot:
    dtype = np.dtype(spec.dtype.as_numpy_dtype)
    if isinstance(type, ir.Scalar):
        kind = "?" if type.kind == "b" else f"{type.kind}{type.bits // 8}"
        return Slot(name, type, np.dtype(kind), None)
    if is_packable(type) and len(type.fields) == 1:
        kind = type.fields[0]
        code = "?" if kind.kind == "b" else f"{kind.kind}{kind.bits // 8}"
        return Slot(name, type, np.dtype(code), (None,))
    if type is not ir.OBJECT or dtype.name not in C_TYPES:
        kind = "a text" if dtype.kind == "O" and type in (ir.OBJECT, ir.TEXT) else "a list or dict"
        raise UnimplementedError(
            f"export.native: {what} is {kind}, which has no form in C yet; pass numbers and arrays"
        )
    if spec.shape.rank is None:
        raise UnimplementedError(
            f"export.native: {what} has an unknown number of axes; give its TensorSpec a shape, "
            "with None for sizes that are not known"
        )
    return Slot(name, type, dtype, spec.shape.dims)


def _result_names(trace: Any, count: int) -> list[str]:
    """Return the names of results: keys of a dict, else numbers."""
    structure = trace.structured_outputs
    if isinstance(structure, Mapping):
        leaves, names = treedef.flatten(structure)[0], []
        keys = sorted(structure, key=str)
        if len(leaves) == len(keys) == count:
            names = [str(key) for key in keys]
            return names
    return ["result"] if count == 1 else [f"result{number}" for number in range(count)]


def _about(trace: Any) -> str:
    """Return the first paragraph of the function's own documentation."""
    text = getattr(getattr(trace, "python_function", None), "__doc__", None) or ""
    return " ".join(text.strip().partition("\n\n")[0].split())
