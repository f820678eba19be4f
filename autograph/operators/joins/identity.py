"""Identity of values on two paths: whether they are one object, or selectable by an index."""

from __future__ import annotations

import functools
import types
from typing import Any

from autograph.staging.protocol import Backend
from autograph.staging.staged_union import StagedUnion


def same(left: Any, right: Any) -> bool:
    """Whether two values are one object, equal constants of one type, or functions alike."""
    if left is right:
        return True
    kind = type(left)
    if kind is types.FunctionType and type(right) is kind:
        return _parts(left) == _parts(right)
    if kind is types.MethodType and type(right) is kind:
        return left.__self__ is right.__self__ and same(left.__func__, right.__func__)
    if kind is not type(right) or kind not in (bool, int, float, complex, str, bytes):
        return False
    return bool(left == right) and repr(left) == repr(right)  # 0.0 is not -0.0


def _parts(function: types.FunctionType) -> tuple[Any, ...]:
    """Return the parts of a function, by identity: functions of equal parts do the same."""
    values = (*(function.__closure__ or ()), *(function.__defaults__ or ()))
    keywords = (function.__kwdefaults__ or {}).values()
    return (function.__code__, *map(id, (*values, *keywords)), id(function.__globals__))


def is_choosable(value: Any, backend: Backend) -> bool:
    """Whether a value is a function, a class or the like, or a variable of the backend's."""
    if isinstance(value, StagedUnion):
        return False
    return isinstance(value, _CALLABLES) or backend.is_reference(value)


_CALLABLES = (
    types.FunctionType, types.MethodType, types.BuiltinFunctionType, type, functools.partial,
)
