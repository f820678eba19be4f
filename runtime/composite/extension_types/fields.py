"""Fields of extension types and of their type specs: attributes that constructors set for good."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable
from typing import Any

from runtime.composite.extension_types import field_types
from runtime.types.shapes import TypeSpec

_BUILDING = "_tf_extension_type_in_constructor"
_KERAS = ("_keras_mask", "_keras_history")
"""Attributes that Keras sets."""
class Field(typing.NamedTuple):
    """Field of an extension type."""

    name: str
    annotation: Any
    default: Any
    """``Parameter.empty`` without one."""


EMPTY = inspect.Parameter.empty


class HasFields:
    """Value or type spec of an extension type: its attributes are the fields."""

    @classmethod
    def _fields(cls) -> tuple[Field, ...]:
        raise NotImplementedError

    @classmethod
    def _with_fields(cls, values: dict[str, Any]) -> Any:
        """Make an object of its fields, without the user's constructor."""
        instance = object.__new__(cls)
        instance.__dict__.update(values)
        return instance

    def _field_values(self) -> dict[str, Any]:
        return {field.name: self.__dict__[field.name] for field in self._fields()}

    def __validate__(self) -> None:
        """Raise an error for fields that do not fit; the user's class overrides it."""

    def __setattr__(self, name: str, value: Any) -> None:
        self._requireconstructor_of(name)
        self.__dict__[name] = value

    def __delattr__(self, name: str) -> None:
        self._requireconstructor_of(name)
        del self.__dict__[name]

    def _requireconstructor_of(self, name: str) -> None:
        is_field = any(name == field.name for field in self._fields())
        if name not in _KERAS and not (is_field and _BUILDING in self.__dict__):
            base = "ExtensionTypeSpec" if isinstance(self, TypeSpec) else "ExtensionType"
            raise AttributeError(
                f"Cannot mutate attribute `{name}` outside the custom constructor of {base}."
            )

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self._field_values().items())
        return f"{type(self).__qualname__}({fields})"


def _convert_fields(instance: HasFields, in_spec: bool) -> None:
    """Convert the fields that a constructor set; ValueError where some are not set."""
    fields = instance._fields()
    missing = {field.name for field in fields if field.name not in instance.__dict__}
    if missing:
        raise ValueError(f"Missing required fields: {missing}")
    for field in fields:
        value = field_types.convert(
            instance.__dict__[field.name], field.annotation, field.name, in_spec
        )
        instance.__dict__[field.name] = value
    instance.__validate__()


def finishing(constructor: Callable[..., None], in_spec: bool) -> Callable[..., None]:
    """Return the user's constructor, after which fields are converted and checked."""

    @functools.wraps(constructor)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        self.__dict__[_BUILDING] = True
        try:
            constructor(self, *args, **kwargs)
        finally:
            del self.__dict__[_BUILDING]
        _convert_fields(self, in_spec)

    return __init__


def constructor_of(cls: Any, in_spec: bool) -> Callable[..., None]:
    """Return a constructor whose parameters are the fields; after defaults by keyword only."""
    kind: Any = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters: list[inspect.Parameter] = []
    for field in cls._fields():
        default = EMPTY if in_spec else field.default
        if default is EMPTY and any(p.default is not EMPTY for p in parameters):
            kind = inspect.Parameter.KEYWORD_ONLY
        parameters.append(
            inspect.Parameter(field.name, kind, default=default, annotation=field.annotation)
        )
    signature = inspect.Signature(parameters)

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        self.__dict__.update(bound.arguments)
        _convert_fields(self, in_spec)

    first = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    __init__.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[first, *parameters]
    )
    return __init__
