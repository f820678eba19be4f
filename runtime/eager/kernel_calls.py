"""Direct calls of kernels: for each op a function of its eager tensors and its attributes.

Small programs spend their time on the way to the kernel.  Python passes keywords that the code
spells several times faster than those of a dictionary, so the function is written for the names
that the kernel has; ops of the same names share its code.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Sequence
from typing import Any

from runtime.ops.op import OpDef

DirectCall = Callable[[Sequence[Any], dict[str, Any]], Any]
"""``call(inputs, attrs)``: what the kernel returns, or NotImplemented.

NotImplemented says that the inputs are not eager tensors of fitting dtypes.  What goes wrong raises
any exception; the caller finds the words for it.
"""


class DirectCalls(dict[OpDef, DirectCall]):
    """The direct call of each op, made when it is first asked for."""

    def __init__(self, tensor: type, run: Callable[..., Any]) -> None:
        super().__init__()
        self._names: dict[str, Any] = {"Tensor": tensor, "run": run}

    def __missing__(self, op: OpDef) -> DirectCall:
        names = self._names | {"kernel": op.kernel, "dtypes": op.shared_dtypes}
        made: DirectCall
        if op.arity is None:
            made = _of_any_number(op, names["Tensor"], names["run"])
        else:
            checked = () if op.same_dtype_inputs is None else range(op.arity)[op.same_dtype_inputs]
            code = _code(op.arity, tuple(checked), _keywords(op.kernel))
            made = types.FunctionType(code, names)
        self[op] = made
        return made


def _keywords(kernel: Any) -> tuple[str, ...] | None:
    """The names of a kernel's keyword-only parameters; None if it may take others."""
    code = getattr(kernel, "__code__", None)
    if code is None or code.co_flags & 8:  # CO_VARKEYWORDS
        return None
    return tuple(code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount])


@functools.cache
def _code(
    arity: int, checked: tuple[int, ...], keywords: tuple[str, ...] | None
) -> types.CodeType:
    """Code of the call of a kernel with so many arrays, some of one dtype, and these keywords."""
    inputs = [f"input_{n}" for n in range(arity)]
    arrays = [f"array_{n}" for n in range(arity)]
    tests = [f"type({one}) is Tensor" for one in inputs]
    if keywords is not None:
        tests.append(f"len(attrs) == {len(keywords)}" if keywords else "not attrs")
    lines = [f"    {one} = {of}._array" for one, of in zip(arrays, inputs)]
    unfit = [f"{arrays[n]}.dtype is not dtype" for n in checked[1:]]
    if checked:
        lines.append(f"    dtype = {arrays[checked[0]]}.dtype")
        lines.append(f"    if {' or '.join(['dtype not in dtypes', *unfit])}:")
        lines.append("        return NotImplemented")
    plain = f"run({', '.join(['kernel', *arrays])})"
    if keywords is None:
        given = f"{plain} if not attrs else {plain[:-1]}, **attrs)"
    else:
        given = f"{plain[:-1]}{''.join(f', {name}=attrs[{name!r}]' for name in keywords)})"
    text = "\n".join([
        "def call(inputs, attrs):",
        *([f"    {', '.join(inputs)}, = inputs"] if inputs else []),
        f"    if not ({' and '.join(tests) or 'True'}):",
        "        return NotImplemented",
        *lines,
        f"    return {given}",
    ])  # fmt: skip
    module = compile(text, "<direct call of a kernel>", "exec")
    return next(one for one in module.co_consts if isinstance(one, types.CodeType))


def _of_any_number(op: OpDef, tensor: Any, run: Callable[..., Any]) -> DirectCall:
    """The call of a kernel that takes any number of arrays."""
    kernel, dtypes, shared = op.kernel, op.shared_dtypes, op.same_dtype_inputs

    def call(inputs: Sequence[Any], attrs: dict[str, Any]) -> Any:
        arrays = [one._array for one in inputs if type(one) is tensor]
        if len(arrays) != len(inputs):
            return NotImplemented
        found = () if shared is None else [array.dtype for array in arrays[shared]]
        if found and (found[0] not in dtypes or any(d is not found[0] for d in found)):
            return NotImplemented
        return run(kernel, *arrays, **attrs)

    return call
