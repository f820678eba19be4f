"""``ExtensionType``: immutable class of the user's, whose annotations say what fields it has.

Its metaclass reads the annotations, and gives the class a constructor and a nested class ``Spec``,
the type of its values.  Values are composites: functions, branches, loops and datasets take them
by their tensors; what is static of them belongs to the type.
"""

from __future__ import annotations

import abc
import inspect
import sys
import types
import typing
import weakref
from collections.abc import Hashable, Sequence
from typing import Any

from runtime.composite.extension_types import field_types
from runtime.composite.extension_types.api_dispatch import apply_op, refuse_conversion
from runtime.composite.extension_types.components import (
    Incompatible,
    are_compatible,
    call_shapes_of,
    joint_spec,
    key_of,
    spec_of,
    tensors_of,
    with_tensors,
)
from runtime.composite.extension_types.fields import (
    EMPTY,
    Field,
    HasFields,
    constructor_of,
    finishing,
)
from runtime.control_flow.cond import cond
from runtime.eager.tensor import Tensor
from runtime.ops import dispatch
from runtime.ops.array.constants import constant
from runtime.ops.array.shape import shape
from runtime.ops.math.comparison import equal
from runtime.ops.math.logical import logical_not
from runtime.ops.math.reduction import reduce_all
from runtime.types.composite import Composite, ValueSpec
from runtime.types.dtypes import int64
from runtime.types.shapes import TensorShape, TensorSpec, TypeSpec
from runtime.types.value import Value

__all__ = ["ExtensionType", "ExtensionTypeSpec", "as_dict"]

_OF_SPECS = (
    "value_type", "is_compatible_with", "most_specific_compatible_type", "from_value",
    "self", "_type_spec",
)  # fmt: skip
RESERVED = frozenset([name for name in dir(ValueSpec) if not name.startswith("__")] + [*_OF_SPECS])
"""Names that no field may have."""


class ExtensionTypeSpec(HasFields, ValueSpec):
    """Type of values of an extension type: its fields, with specs in place of tensors."""

    _value_type: Any

    @classmethod
    def _fields(cls) -> tuple[Field, ...]:
        fields: tuple[Field, ...] = cls._value_type._fields()
        return fields

    @classmethod
    def from_value(cls, value: Any) -> Any:
        """Return the type of a value."""
        values = {name: spec_of(field) for name, field in value._field_values().items()}
        return cls._with_fields(values)

    @property
    def value_type(self) -> type:
        """The extension type."""
        cls: type = self._value_type
        return cls

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Return whether a value, or values of another type, are described by this type."""
        if not isinstance(spec_or_value, type(self) | self.value_type):
            return False
        second = self._type_of(spec_or_value)._field_values()
        return all(are_compatible(value, second[k]) for k, value in self._field_values().items())

    def most_specific_compatible_type(self, other: Any) -> Any:
        """Return the narrowest type of values of both; None where there is none."""
        if type(self) is not type(other):
            return None
        second = other._field_values()
        try:
            joint = {k: joint_spec(value, second[k]) for k, value in self._field_values().items()}
        except Incompatible:
            return None
        return self._with_fields(joint)

    def _tensors(self) -> list[Any]:
        return tensors_of(tuple(self._field_values().values()))

    def _type_key(self) -> Hashable:
        return type(self), key_of(tuple(self._field_values().values()), in_call=False)

    def _call_key(self) -> Hashable:
        return self._value_type, key_of(tuple(self._field_values().values()), in_call=True)

    def _call_shapes(self) -> Sequence[TensorShape | None]:
        return call_shapes_of(tuple(self._field_values().values()))

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        return _rebuilt(self, self._value_type, tensors)

    def __reduce__(self) -> tuple[Any, ...]:
        return _spec_of_fields, (self._value_type, self._field_values())


def _spec_of_fields(cls: Any, values: dict[str, Any]) -> Any:
    """Make a type spec again that was pickled."""
    return cls.Spec._with_fields(values)


def _rebuilt(instance: HasFields, cls: Any, tensors: Sequence[Any]) -> Any:
    """Return a value of other tensors, or the type spec of TensorSpecs."""
    feed = iter(tensors)
    values = {name: with_tensors(field, feed) for name, field in instance._field_values().items()}
    if tensors and isinstance(tensors[0], TensorSpec):
        return cls.Spec._with_fields(values)
    return cls._with_fields(values)


_BY_NAME: weakref.WeakValueDictionary[str, type] = weakref.WeakValueDictionary()
"""The last extension type with each ``__name__``, by which saved models know it."""


def type_of_name(name: str) -> Any:
    """Return the extension type whose ``__name__`` is this; None if there is none."""
    return _BY_NAME.get(name)


class ExtensionTypeMeta(abc.ABCMeta):
    """Metaclass that makes constructors and type specs of the user's annotations."""

    def __init__(
        cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **kwargs: Any
    ) -> None:
        super().__init__(name, bases, namespace, **kwargs)
        if "_spec_base" in namespace:
            return  # a base that is ours
        frame = sys._getframe(1)
        names = {"__globals__": frame.f_globals, **_types_in(frame.f_locals)}
        type.__setattr__(cls, "_tf_extension_type_names", names)
        _check_names(cls)
        own = cls.__dict__.get("__init__")
        constructor = constructor_of(cls, False) if own is None else finishing(own, False)
        type.__setattr__(cls, "__init__", constructor)
        type.__setattr__(cls, "Spec", _spec_class(cls))
        dispatch.register_tensor_conversion_function(cls, refuse_conversion, 0)
        if isinstance(namespace.get("__name__"), str):
            _BY_NAME[namespace["__name__"]] = cls


def _types_in(names: dict[str, Any]) -> dict[str, Any]:
    """Return the classes and modules among variables, which annotations may name as texts."""
    return {k: v for k, v in names.items() if isinstance(v, type | types.ModuleType)}


def _check_names(cls: type) -> None:
    """Raise ValueError for fields that are reserved or have no annotation."""
    own = inspect.get_annotations(cls)
    for name in [*own, *cls.__dict__]:
        reserved = name in RESERVED or name.lower().startswith("_tf_extension_type")
        if reserved and name in own:
            raise ValueError(
                f"The field annotations for {cls.__name__} are invalid. Field '{name}' is reserved."
            )
    spec = cls.__dict__.get("Spec")
    if spec is not None and not isinstance(spec, type):
        raise ValueError(f"{cls.__qualname__}.Spec must be a nested class; got {spec}.")
    if spec is not None and spec.__bases__ not in ((TypeSpec,), (object,)):
        raise ValueError(f"{cls.__qualname__}.Spec must be directly subclassed from tf.TypeSpec.")
    for name, value in cls.__dict__.items():
        special = name.startswith("__") and name.endswith("__")
        special = special or name.startswith(("_abc_", "_tf_extension_type"))
        method = callable(value) or isinstance(value, property | classmethod | staticmethod)
        if name not in own and not special and not method:
            raise ValueError(
                f"The field annotations for {cls.__name__} are invalid. Field {name} is missing a "
                "type annotation."
            )
    cls._fields()  # type: ignore[attr-defined]


def _spec_class(cls: Any) -> type:
    """Return the class of the type specs of an extension type."""
    name = f"{cls.__qualname__}.Spec"
    namespace: dict[str, Any] = {"__module__": cls.__module__, "_value_type": cls}
    fields = {field.name for field in cls._fields()}
    for attribute, value in vars(cls.__dict__.get("Spec", object)).items():
        if attribute in RESERVED:
            raise ValueError(f"TypeSpec {name} uses reserved name '{attribute}'.")
        if attribute in fields:
            raise ValueError(
                f"TypeSpec {name} defines a variable '{attribute}' which shadows a field in "
                f"{cls.__qualname__}"
            )
        if "Spec" in cls.__dict__ and attribute not in ("__module__", "__dict__", "__weakref__"):
            namespace[attribute] = value
    encoder = "__batch_encoder__"
    if encoder in cls.__dict__:
        namespace.setdefault(encoder, cls.__dict__[encoder])
    if encoder in namespace and not hasattr(cls._spec_base, encoder):
        raise ValueError(f"{encoder} should only be defined for BatchableExtensionType classes.")
    spec: Any = type(f"{cls.__name__}.Spec", (cls._spec_base,), namespace)
    spec.__qualname__ = name
    own = spec.__dict__.get("__init__")
    spec.__init__ = constructor_of(spec, True) if own is None else finishing(own, True)
    return spec


class ExtensionType(HasFields, Composite, metaclass=ExtensionTypeMeta):
    """Base of classes whose values functions, branches, loops, datasets and layers take.

    A subclass annotates its fields: ``values: tf.Tensor``.  They may be tensors, values made of
    tensors (RaggedTensor, other extension types), ``TensorShape``, ``DType``, Python's int, float,
    str, bytes, bool and None, and ``Tuple``, ``Mapping`` and ``Union`` of these.  The constructor
    takes the fields, converts and checks them (TypeError), and calls ``__validate__``; then they
    cannot be changed (AttributeError).  ``Spec`` is the class of the types of values.
    """

    _spec_base: Any = ExtensionTypeSpec
    _tf_extension_type_names: Any = None
    """Variables where the class is defined: the globals, and classes and modules by name."""
    Spec: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise AssertionError(
            f"Cannot create an instance of {type(self).__name__} because it is an abstract base "
            "class."
        )

    @classmethod
    def _fields(cls) -> tuple[Field, ...]:
        cached: tuple[Field, ...] | None = cls.__dict__.get("_tf_extension_type_fields")
        if cached is not None:
            return cached
        names = {**cls._tf_extension_type_names, cls.__name__: cls}
        try:
            hints = typing.get_type_hints(cls, None, {**names.pop("__globals__"), **names})
            resolved = True
        except (NameError, AttributeError):  # of a class that is yet to come
            hints, resolved = {}, False
            for base in reversed(cls.__mro__):
                hints.update(inspect.get_annotations(base))
        hints = {name: hint for name, hint in hints.items() if name not in _BASE_HINTS}
        fields = tuple([_field(cls, name, hint) for name, hint in hints.items()])
        if resolved:
            type.__setattr__(cls, "_tf_extension_type_fields", fields)
        return fields

    @property
    def _type_spec(self) -> Any:
        return self.Spec.from_value(self)

    def _tensors(self) -> list[Any]:
        return tensors_of(tuple(self._field_values().values()))

    def _type_key(self) -> Hashable:
        return type(self), key_of(tuple(self._field_values().values()), in_call=True)

    def _call_shapes(self) -> Sequence[TensorShape | None]:
        return call_shapes_of(tuple(self._field_values().values()))

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        return _rebuilt(self, type(self), tensors)

    _apply_op = apply_op

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, type(self)) or type(self) is not type(other):
            return False
        if self._type_spec != other._type_spec:
            return False
        pairs = zip(self._tensors(), other._tensors(), strict=True)
        result: Any = constant(True)
        for first, second in pairs:
            result = result & _are_equal(first, second)
        return result

    __hash__ = None  # type: ignore[assignment]

    def __ne__(self, other: object) -> Any:
        result = self == other
        return logical_not(result) if isinstance(result, Value) else not result

    def __reduce__(self) -> tuple[Any, ...]:
        return _value_of_fields, (type(self), self._field_values())


_BASE_HINTS = frozenset({"_spec_base", "_tf_extension_type_names", "Spec"})


def _value_of_fields(cls: Any, values: dict[str, Any]) -> Any:
    """Make a value again that was pickled or copied."""
    return cls._with_fields(values)


def _field(cls: type, name: str, annotation: Any) -> Field:
    try:
        field_types.check(annotation)
    except TypeError as error:
        raise TypeError(f"In field {name!r}: {error}") from None
    default = getattr(cls, name, EMPTY)
    is_tensor = annotation is Tensor
    if default is not EMPTY and not is_tensor and not isinstance(annotation, str):
        default = field_types.convert(default, annotation, f"default value for {name}")
    return Field(name, annotation, default)


def _are_equal(first: Any, second: Any) -> Any:
    """Return whether tensors have one shape and equal elements; False for other shapes."""
    if first.shape.is_fully_defined() and second.shape.is_fully_defined():
        return reduce_all(equal(first, second))
    same_shape = reduce_all(equal(shape(first, int64), shape(second, int64)))
    return cond(same_shape, lambda: reduce_all(equal(first, second)), lambda: constant(False))


def as_dict(value: Any) -> dict[str, Any]:
    """Return the fields of a value of an extension type.

    Args:
        value: ExtensionType.
    Returns:
        Dict of the fields by their names, in their order; values in them stay as they are.
    """
    fields: dict[str, Any] = value._field_values()
    return fields
