"""Optional attributes, read: an attribute that is there on some paths only, or that of the class.

    self.total               # self's own, or that of its class; AttributeError, as the run decides
    hasattr(self, "total")   # whether it is there
    getattr(self, "total", 0)
    vars(self)               # refused while there is such an attribute

The slots hold a ``MaybeValue``; see ``state.optional_attributes``.
"""

from __future__ import annotations

import builtins
import sys
import types
from collections.abc import Callable
from typing import Any, NoReturn

from autograph.conversion.convert_hook import converted
from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError, EffectError
from autograph.operators.control.conditionals import nothing, staged_if
from autograph.operators.control.raises import raise_stmt
from autograph.operators.state.attributes import has_members, members
from autograph.operators.state.closure_cells import UNDEFINED
from autograph.operators.state.optional_attributes import (
    DELETE,
    READ,
    OptionalAttribute,
    in_class,
)
from autograph.operators.state.sentinels import MaybeValue
from autograph.operators.state.skip_list import is_skipped
from autograph.staging.possible_numbers import refuse_possible_number
from autograph.staging.registry import python_type, staging_backend
from autograph.staging.staged_string import StagedText
from autograph.staging.staged_union import StagedChoice, StagedUnion
from autograph.syntax.code_markers import AG, is_added
from autograph.tracing import TRACES


def optional_member(value: Any, name: Any) -> MaybeValue | None:
    """Return what the slot of an optional attribute holds; None for all others."""
    if not TRACES or not isinstance(name, str) or isinstance(value, type | types.ModuleType):
        return None
    member = members(value).get(name) if has_members(value) else None
    return member if type(member) is MaybeValue else None


def _read(instance: Any, attribute: OptionalAttribute, member: MaybeValue) -> Any:
    """What a read of the attribute gives."""
    _check_reader(attribute.name)
    get_otherwise = _otherwise(instance, attribute.name)
    backend, present, value = member.ag__backend, member.ag__present, member.ag__value
    if get_otherwise is not None:
        return staged_if(backend, present, lambda: value, get_otherwise, owners=(instance,))
    staged_if(backend, present, nothing, lambda: _complain(attribute.missing(instance)))
    return value


def _otherwise(instance: Any, name: str) -> Callable[[], Any] | None:
    """Return what gives the attribute of an object without its own; None if nothing does."""
    kind = type(instance)
    in_classes = [vars(base) for base in kind.__mro__]
    in_class_dict = in_class(kind, name)
    if in_class_dict is not UNDEFINED and not isinstance(in_class_dict, types.MemberDescriptorType):
        return lambda: OptionalAttribute(name, UNDEFINED).otherwise(instance)
    method = next((names["__getattr__"] for names in in_classes if "__getattr__" in names), None)
    if isinstance(method, types.FunctionType):
        return lambda: converted(method)(instance, name)
    return None


def _complain(error: AttributeError) -> NoReturn:
    raise raise_stmt(error)


def _check_reader(name: str) -> None:
    """Refuse a library's own code, in which a handler could not catch what the run raises."""
    reader = sys._getframe(3)
    module = reader.f_globals.get("__name__")
    if is_skipped(module) and not str(module).startswith("autograph."):
        raise EffectError(
            f"{reader.f_code.co_name}() of {module} reads the attribute '{name}', which an object "
            "has on only one path, and that depends on a staged value",
            where=user_line(),
            help=f"set '{name}' on every path before the call",
        )


def _delete(instance: Any, attribute: OptionalAttribute, member: MaybeValue) -> None:
    """Raise AttributeError, at run time, where there is nothing to delete."""
    error = attribute.missing(instance)
    staged_if(member.ag__backend, member.ag__present, nothing, lambda: _complain(error))


def hasattr_(value: Any, name: str, /) -> Any:
    """``hasattr``; staged for an optional attribute."""
    if isinstance(value, StagedUnion):
        return value.ag__apply_to_each(lambda alternative: hasattr_(alternative, name))
    _check_name("hasattr", value, name)
    member = optional_member(value, name)
    if member is None:
        has = hasattr(python_type(value) or value, name)
        if hasattr(float, name) != has:
            refuse_possible_number(value, staging_backend(value), "'hasattr' asks for a member of")
        return has
    get_otherwise = _otherwise(value, name)
    if get_otherwise is None:
        return member.ag__present
    return staged_if(
        member.ag__backend, member.ag__present, lambda: True, lambda: _finds(get_otherwise),
        owners=(value,),
    )


def _finds(get: Callable[[], Any]) -> bool:
    try:
        get()
    except AttributeError:
        return False
    return True


def _check_name(function: str, value: Any, name: Any) -> None:
    if isinstance(name, StagedText) or staging_backend(name) is not None:
        raise ConcreteValueError(
            f"{function}() of an object of type {type(value).__name__} needs a name that is known "
            "while tracing, but got a staged text",
            where=user_line(),
            help="compare the text with the names that it may be: if name == 'a': ...",
        )


def getattr_(value: Any, name: str, /, *default: Any) -> Any:
    """``getattr``; staged for an optional attribute, and for each of several objects."""
    _check_name("getattr", value, name)
    if default and isinstance(value, StagedChoice):
        return value.ag__apply_to_each(lambda alternative: getattr_(alternative, name, *default))
    member = optional_member(value, name) if len(default) == 1 else None
    if member is None or _otherwise(value, name) is not None:
        return getattr(value, name, *default)
    own_value, (default_value,) = member.ag__value, default
    return staged_if(
        member.ag__backend, member.ag__present, lambda: own_value, lambda: default_value, owners=()
    )


def certain(value: Any) -> Any:
    """Return an object whose attributes are looked at as a whole.

    Raises EffectError if one of them is there on some paths only.
    """
    if TRACES and has_members(value):
        for name, member in members(value).items():
            if type(member) is MaybeValue:
                raise EffectError(
                    f"the attribute '{name}' exists on only one path, which depends on a staged "
                    "value, so the attributes cannot be listed",
                    where=user_line(),
                    help=f"set '{name}' on every path, or use hasattr() and getattr()",
                    subject=name,
                )
    return value


def own_locals(variables: dict[str, Any]) -> dict[str, Any]:
    """``locals()`` without what conversion added; EffectError for what is on some paths only."""
    own = {}
    for name, value in variables.items():
        if type(value) is MaybeValue:
            raise EffectError(
                f"'{name}' is assigned on only one path, which depends on a staged value, so "
                "locals() cannot be made",
                where=user_line(),
                help=f"assign '{name}' on every path",
                subject=name,
            )
        added = isinstance(value, types.FunctionType) and is_added(value.__code__)
        if name != AG and not added:
            own[name] = value
    return own


def _setattr(value: Any, name: str, new: Any, /) -> None:
    """``setattr``."""
    _check_name("setattr", value, name)
    setattr(value, name, new)


def _delattr(value: Any, name: str, /) -> None:
    """``delattr``."""
    _check_name("delattr", value, name)
    delattr(value, name)


READ.append(_read)
DELETE.append(_delete)
STAND_INS: dict[Any, Any] = {
    builtins.hasattr: hasattr_, builtins.getattr: getattr_, builtins.setattr: _setattr,
    builtins.delattr: _delattr,
}  # fmt: skip
