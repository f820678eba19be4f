"""Calls of kernels with eager tensors, written for each op.

Small programs spend their time on the way to the kernel.  Python passes keywords that the code
spells several times faster than those of a dictionary, so these functions are written for the
number of arrays and the keywords that a kernel has; ops that have the same share the code.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.eager.costly_kernels import kernel_of
from runtime.ops.dispatch import ACTIVE
from runtime.ops.op import OpDef
from runtime.types.dtypes import NARROW
from runtime.types.source_location import PACKAGE_FOLDER

DirectCall = Callable[[Sequence[Any], dict[str, Any]], Any]
"""``call(inputs, attrs)``: what the kernel returns, or NotImplemented.

NotImplemented says that the inputs are not eager tensors of fitting dtypes.  What goes wrong raises
any exception; the caller finds the words for it.
"""

# The underscores keep the names of attributes free.
BY_ATTRS = """
def call(inputs, attrs):
    {inputs} = inputs
    if {tests}:
        {assignments}
        if {fit}:
            return {result}
    return NotImplemented
"""

BY_POSITION = """
def call({parameters}, name=None):
    if not _ACTIVE and {tests}:
        {assignments}
        if {fit}:
            try:
                _result = {result}
            except Exception:
                pass  # it goes wrong again below, with a proper message
            else:
                if _type(_result) is not _tuple and _type(_result) is not _bytes:
                    _output = _new()
                    _output._array = _result
                    return _output
    return _op.apply(({inputs}), {{{attrs}}}, name)
"""


class KernelCalls(dict[OpDef, DirectCall]):
    """The direct call of each op, made when it is first asked for."""

    def __init__(self, tensor: Any, new: Callable[[], Any], run: Callable[..., Any]) -> None:
        """Make calls for a class of tensors, which ``new()`` makes; kernels run by ``run``."""
        super().__init__()
        self._tensor, self._new, self._run = tensor, new, run

    def __missing__(self, op: OpDef) -> DirectCall:
        if op.arity is None:
            made: DirectCall = _of_any_number(op, self._tensor, self._run)
        else:
            made = self._function(op, _keywords(op), BY_ATTRS)
        self[op] = made
        return made

    def by_position(self, op: OpDef) -> Callable[..., Any]:
        """Return a function that applies an op to its inputs and all attributes, in order.

        TypeError if inputs or attributes may be any number, or the op is not plain.
        """
        keywords = _keywords(op)
        if op.arity is None or keywords is None or not op.plain:
            raise TypeError(f"the inputs and attributes of {op.name} have no fixed order")
        return self._function(op, keywords, BY_POSITION)

    def _function(
        self, op: OpDef, keywords: tuple[str, ...] | None, template: str
    ) -> types.FunctionType:
        arity = op.arity or 0
        shared = () if op.same_dtype_inputs is None else range(arity)[op.same_dtype_inputs]
        names = {
            "_ACTIVE": ACTIVE, "_Tensor": self._tensor, "_new": self._new, "_run": self._run,
            "_NARROW": NARROW, "_op": op, "_kernel": kernel_of(op), "_dtypes": op.shared_dtypes,
            "_type": type, "_tuple": tuple, "_bytes": bytes,
        }  # fmt: skip
        defaults = (None,) if template is BY_POSITION else None
        code = _code(arity, tuple(shared), keywords, template)
        return types.FunctionType(code, names, op.name, defaults)


def _keywords(op: OpDef) -> tuple[str, ...] | None:
    """The names of the keyword-only parameters of an op's kernel; None if it may take others."""
    if isinstance(op.kernel, np.ufunc):
        return ()
    code = getattr(op.kernel, "__code__", None)
    if code is None or code.co_flags & 8:  # CO_VARKEYWORDS
        return None
    return tuple(code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount])


@functools.cache
def _code(
    arity: int, shared: tuple[int, ...], keywords: tuple[str, ...] | None, template: str
) -> types.CodeType:
    """Code of a call: of so many arrays, of which some share a dtype, with these keywords."""
    inputs = [f"_input_{n}" for n in range(arity)]
    arrays = [f"_array_{n}" for n in range(arity)]
    tests = [f"_type({one}) is _Tensor" for one in inputs]
    assignments = [f"{one} = {of}._array" for one, of in zip(arrays, inputs)]
    fit = [f"{arrays[n]}.dtype is _dtype" for n in shared[1:]]
    if len(shared) < arity and template is BY_POSITION:
        tests.append("not _NARROW")  # what shares no dtype may be bfloat16
    if shared:
        assignments.append(f"_dtype = {arrays[shared[0]]}.dtype")
        fit.append("_dtype in _dtypes")
    given = ["_kernel", *arrays]
    if template is BY_POSITION:
        result = f"_run({', '.join(given + [f'{name}={name}' for name in keywords or ()])})"
    elif keywords is None:
        result = f"_run({', '.join(given)}, **attrs) if attrs else _run({', '.join(given)})"
    else:
        tests.append(f"len(attrs) == {len(keywords)}" if keywords else "not attrs")
        result = f"_run({', '.join(given + [f'{name}=attrs[{name!r}]' for name in keywords])})"
    text = template.format(
        inputs=", ".join([*inputs, ""]) or "()",
        parameters=", ".join([*inputs, *(keywords or ())]),
        tests=" and ".join(tests) or "True",
        assignments="; ".join(assignments) or "pass",
        fit=" and ".join(fit) or "True",
        result=result,
        attrs=", ".join(f"{name!r}: {name}" for name in keywords or ()),
    )
    module = compile(text, f"{PACKAGE_FOLDER}<kernel_call>", "exec")
    return next(one for one in module.co_consts if isinstance(one, types.CodeType))


def _of_any_number(op: OpDef, tensor: Any, run: Callable[..., Any]) -> DirectCall:
    """The direct call of a kernel that takes any number of arrays."""
    kernel, dtypes, shared = op.kernel, op.shared_dtypes, op.same_dtype_inputs

    def call(inputs: Sequence[Any], attrs: dict[str, Any]) -> Any:
        arrays = [value._array for value in inputs if type(value) is tensor]
        if len(arrays) != len(inputs):
            return NotImplemented
        dtype = None
        for array in () if shared is None else arrays[shared]:
            if array.dtype is not dtype:
                if dtype is not None or array.dtype not in dtypes:
                    return NotImplemented
                dtype = array.dtype
        return run(kernel, *arrays, **attrs)

    return call
