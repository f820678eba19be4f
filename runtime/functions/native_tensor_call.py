"""Direct calls of machine code for ``function``: tensors go in, and tensors come out.

The function that is written out here gives MISS wherever the arguments may need another trace, as
the fast cache (fast_dispatch.py) would; it looks at each argument by itself, and makes no key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.eager.tensor import Tensor, silent_copy
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.callbacks import numpy_type
from runtime.engine.llvm.native import NativeCode, calls_kernels
from runtime.functions.cache_key import is_tensor_argument
from runtime.functions.output_packing import number_text
from runtime.functions.signature import BoundCall
from runtime.functions.state_guard import MISS, add_link_checks
from runtime.graph.operation import SymbolicTensor
from runtime.types.python_source import PythonSource
from runtime.types.settings import SETTINGS


def direct_tensor_call(
    trace: Any, call: BoundCall, args: Sequence[Any], native: NativeCode
) -> Callable[..., Any] | None:
    """Return the function of the arguments that calls the machine code of a trace, or None.

    ``call`` is a call of the trace by the positional arguments ``args``.
    """
    variant = trace.variant
    if trace.carries_state or (variant is not None and variant.arguments):
        return None
    if trace.graph.never_returns or trace.arrays.changes:
        return None
    defaults = call.leaves[len(args) :]
    if len(call.leaves) < len(args) or any(map(is_tensor_argument, defaults)):
        return None
    return _TensorCallWriter(trace, native).function(args, call.leaves)


class _TensorCallWriter:
    """Text of the function that calls machine code."""

    def __init__(self, trace: Any, native: NativeCode) -> None:
        self._trace = trace
        self._native = native
        self._inputs = list(trace.graph.inputs)
        self._arrays: list[str] = []
        """The expressions of the arrays for the inputs, as far as they are known."""
        self._source = PythonSource(
            MISS=MISS, settings=SETTINGS, errstate=np.errstate, copy=silent_copy, Tensor=Tensor,
            new=object.__new__, native=native.function, run=native, count=trace.calls.add,
        )  # fmt: skip

    def function(self, args: Sequence[Any], leaves: Sequence[Any]) -> Callable[..., Any] | None:
        """Return the function; None where an argument is none of those that are told apart here."""
        source, names = self._source, [f"a{number}" for number in range(len(args))]
        source.line(f"if settings.generation != {SETTINGS.generation}: return MISS")
        if not all(map(self._takes, names, args, leaves)) or len(self._arrays) != len(self._inputs):
            return None
        add_link_checks(self._trace, source)
        source.line("count()")
        plain = self._plain_result()
        if calls_kernels(self._native.module):
            self._run_with_kernels()
        elif plain is None:
            source.line(f"v = run(({', '.join([*self._arrays, ''])}))")
        else:
            source.line(f"v = native({', '.join(self._arrays)})")
        if plain is None:
            source.line(f"return {source.known(self._trace.result_packer(), 'p')}(v)")
        else:
            source.line("tensor = new(Tensor)")
            source.line(f"tensor._array = {plain}")
            source.line("return tensor")
        return source.compile("native_call", names)

    def _run_with_kernels(self) -> None:
        """Add the lines that run code which calls kernels."""
        run = f"({', '.join([*self._arrays, ''])})"
        if self._trace.graph.stateful:  # the user's code may be called, in its own context
            self._source.line("with errstate(all='ignore'):")
            self._source.line(f"v = run({run})", 2)
        else:
            self._source.line(f"v = copy().run(run, {run})")

    def _plain_result(self) -> str | None:
        """Return the expression of the array of a result that is one tensor; None for others, or
        where kernels are called.
        """
        output = self._trace.structured_outputs
        if type(output) is not SymbolicTensor or output.weak or len(self._native.gives) != 1:
            return None
        if self._native.takes is not None or calls_kernels(self._native.module):
            return None
        (type_,) = self._native.module.entry.gives
        if isinstance(type_, ir.Scalar):
            return number_text(self._source, numpy_type(type_), "v")
        (convert,) = self._native.gives
        return "v" if convert is None else f"{self._source.known(convert, 'c')}(v)"

    def _takes(self, name: str, given: Any, leaf: Any) -> bool:
        """Add lines that give MISS unless an argument is as the one given.

        Return whether it is of a kind that is told apart here.
        """
        if not is_tensor_argument(leaf):
            return given is leaf and self._takes_literal(name, given)
        if len(self._arrays) == len(self._inputs):
            return False
        wanted, source = self._inputs[len(self._arrays)], self._source
        cls, array = type(given), given._array if type(given) is Tensor else given
        if type(array) is not np.ndarray and not isinstance(array, np.generic):
            return False
        dtype = array.dtype
        if dtype != wanted.dtype.as_numpy_dtype or dtype.kind not in "biufc":
            return False
        source.line(f"if type({name}) is not {source.known(cls, 'k')}: return MISS")
        if cls is Tensor or cls is np.ndarray:
            text = source.fresh("x")
            # the caller may change an array, and keep the result
            source.line(f"{text} = {name}.{'_array' if cls is Tensor else 'copy()'}")
            number = ""
            if cls is Tensor and wanted.shape.dims == ():  # or an array without axes
                number = f"type({text}) is not {source.known(dtype.type, 'k')} and "
            source.line(f"if {number}{text}.dtype is not {source.known(dtype, 'd')}: return MISS")
            self._check_shape(f"{text}.shape", wanted, number)
        else:
            text = name  # a number of NumPy's
        self._arrays.append(text)
        return True

    def _takes_literal(self, name: str, value: Any) -> bool:
        """As ``_takes``, of an argument that a trace is for the value of."""
        if type(value) not in (int, bool, str, type(None)):
            return False
        if value is None:
            self._source.line(f"if {name} is not None: return MISS")
        else:
            kind = type(value).__name__
            self._source.line(f"if type({name}) is not {kind} or {name} != {value!r}: return MISS")
        return True

    def _check_shape(self, shape: str, wanted: SymbolicTensor, condition: str) -> None:
        """Add lines that give MISS where a shape is none that the trace is for."""
        dims = wanted.shape.dims
        if dims is None:
            return
        if None not in dims:
            self._source.line(f"if {condition}{shape} != {tuple(dims)}: return MISS")
            return
        self._source.line(f"if len({shape}) != {len(dims)}: return MISS")
        for axis, size in enumerate(dims):
            if size is not None:
                self._source.line(f"if {shape}[{axis}] != {size}: return MISS")
