"""Registry of classes and functions, and objects as dicts that JSON can hold, in Keras 3's form.

``{"module", "class_name", "config", "registered_name"}``: the names are those of Keras, so that
what one library wrote the other reads.
"""

from __future__ import annotations

import importlib
import inspect
import threading
import types
import warnings
from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np

from runtime.eager.tensor import Tensor, wrap
from runtime.keras import lambdas
from runtime.keras.pickled_objects import collected_name
from runtime.ops.op import OpDef
from runtime.types.dtypes import DType
from runtime.types.shapes import TensorShape

_REGISTERED: dict[str, Any] = {}
"""Registered objects by name, ``package>name``, and what users put there themselves."""
_REGISTERED_NAMES: dict[Any, str] = {}


class _CustomObjects(threading.local):
    def __init__(self) -> None:
        self.stack: list[Mapping[str, Any]] = []


_scopes = _CustomObjects()

# Modules of ours whose classes Keras has elsewhere than under the module's name.
_PUBLIC_MODULES = {"models": "keras", "training": "keras"}
_PUBLIC_CLASSES = {"Functional": "keras.src.models.functional"}
_PREFIX = "runtime.keras."
_OF_FUNCTIONS = ("keras.activations", "keras.losses", "keras.metrics", "keras.ops")
"""Modules of Keras whose functions a configuration may name as if they were classes."""


def register_keras_serializable(
    package: str = "Custom", name: str | None = None
) -> Callable[[Any], Any]:
    """Return a decorator that lets a class or function be found when configs are read.

    Args:
        package: first part of the name by which it is known, ``package>name``.
        name: second part; by default its own name.
    Returns:
        Decorator, which returns the class or function itself.
    Raises:
        ValueError: a class has no ``get_config``.
    """

    def register(target: Any) -> Any:
        if inspect.isclass(target) and not hasattr(target, "get_config"):
            raise ValueError(
                f"Cannot register a class that does not have a get_config() method: "
                f"{target.__name__}"
            )
        registered_name = f"{package}>{name if name is not None else target.__name__}"
        _REGISTERED[registered_name] = target
        _REGISTERED_NAMES[target] = registered_name
        return target

    return register


def get_registered_name(obj: Any) -> str:
    """Return the name that a class or function was registered with.

    Args:
        obj: class or function.
    Returns:
        Registered name, ``package>name``; else its own name.
    """
    return _REGISTERED_NAMES.get(obj) or str(obj.__name__)


def get_registered_object(
    name: str, custom_objects: Mapping[str, Any] | None = None,
    module_objects: Mapping[str, Any] | None = None,
) -> Any:
    """Return the class or function of a name.

    Args:
        name: name in a scope, of which the innermost is asked first, or in the registry.
        custom_objects: objects by name that are asked then.
        module_objects: objects by name that are asked last.
    Returns:
        Class or function, or None.
    """
    places = (*reversed(_scopes.stack), _REGISTERED, custom_objects or {}, module_objects or {})
    return next((place[name] for place in places if name in place), None)


def get_custom_objects() -> dict[str, Any]:
    """Return the registered objects.

    Returns:
        Dict of classes and functions by name; what is put in it is found, too.
    """
    return _REGISTERED


class CustomObjectScope:
    """Context in which the names of a dict stand for the classes and functions in it."""

    def __init__(self, custom_objects: Mapping[str, Any] | None) -> None:
        self.custom_objects = dict(custom_objects or {})

    def __enter__(self) -> Self:
        _scopes.stack.append(self.custom_objects)
        return self

    def __exit__(self, *error: object) -> None:
        _scopes.stack.pop()


custom_object_scope = CustomObjectScope


# -- writing ----------------------------------------------------------------------------------


def serialize_keras_object(obj: Any) -> Any:
    """Describe an object by numbers, texts, lists and dicts that JSON can hold.

    Args:
        obj: object with ``get_config``, function, array, tensor, number or text, or a list, tuple
            or dict of these.
    Returns:
        Value of the same structure, with ``{"module", "class_name", "config", "registered_name"}``
        for objects; what ``get_build_config`` and ``get_compile_config`` return is added.
    Raises:
        TypeError: an object has no ``get_config``.
    """
    if obj is None or isinstance(obj, str | bool | int | float):
        return obj
    plain = _plain_value(obj)  # a shape is a tuple, too
    if plain is not _NOT_PLAIN:
        return plain
    if isinstance(obj, list | tuple):
        items = [serialize_keras_object(item) for item in obj]
        return items if isinstance(obj, list) else tuple(items)
    if isinstance(obj, dict):
        return {key: serialize_keras_object(value) for key, value in obj.items()}
    if isinstance(obj, types.FunctionType | types.BuiltinFunctionType | types.MethodType | OpDef):
        return _function_config(obj)
    if not hasattr(obj, "get_config"):
        raise TypeError(
            f"Cannot serialize object {obj!r} of type {type(obj).__name__}: a class that is to be "
            "serialized needs a method get_config()."
        )
    return _object_config(obj)


_NOT_PLAIN = object()


def _plain_value(obj: Any) -> Any:
    """Return the dict or value of an array, tensor, dtype, shape, slice or bytes."""
    if isinstance(obj, np.generic):
        return obj.item()
    if obj is Ellipsis:
        return {"class_name": "__ellipsis__", "config": {}}
    if isinstance(obj, bytes):
        return {"class_name": "__bytes__", "config": {"value": obj.decode()}}
    if isinstance(obj, TensorShape):
        return None if obj.dims is None else obj.as_list()
    if isinstance(obj, DType):
        return obj.name
    if isinstance(obj, slice):
        bounds = {"start": obj.start, "stop": obj.stop, "step": obj.step}
        return {"class_name": "__slice__", "config": serialize_keras_object(bounds)}
    if isinstance(obj, np.ndarray | Tensor):
        array = np.asarray(obj)
        config = {"value": array.tolist(), "dtype": array.dtype.name}
        kind = "__numpy__" if isinstance(obj, np.ndarray) else "__tensor__"
        return {"class_name": kind, "config": config}
    return _NOT_PLAIN


def _function_config(function: Any) -> dict[str, Any]:
    """Return the dict of a function: its name, by which it is found again; the code of a lambda."""
    collected = collected_name(function)
    if collected is None and lambdas.is_lambda(function):
        warnings.warn(
            "The object that is serialized has a lambda in it: it is read with `safe_mode=False` "
            "only. Define the function with `def`, and decorate it with "
            "@keras.saving.register_keras_serializable().",
            stacklevel=2,
        )
        value = serialize_keras_object(list(lambdas.dumped(function)))
        return {"class_name": "__lambda__", "config": {"value": value}}
    return {
        "module": "builtins", "class_name": "function",
        "config": collected or get_registered_name(function), "registered_name": "function",
    }  # fmt: skip


def _object_config(obj: Any) -> dict[str, Any]:
    """Return the dict of an object that has ``get_config``."""
    kind = type(obj)
    module = public_module(kind)
    custom = module == kind.__module__
    config = {
        "module": None if module in ("__main__", "builtins") else module,
        "class_name": kind.__name__,
        "config": serialize_keras_object(obj.get_config()),
        "registered_name": (collected_name(kind) or get_registered_name(kind)) if custom else None,
    }
    for section in ("build_config", "compile_config"):
        method = getattr(obj, f"get_{section}", None)
        section_config = method() if method is not None else None
        if section_config is not None:
            config[section] = serialize_keras_object(section_config)
    return config


def public_module(kind: type[Any]) -> str:
    """Return the module that Keras has a class in; of others, the one where it was defined."""
    if not kind.__module__.startswith(_PREFIX):
        return kind.__module__
    first, *modules = kind.__module__.removeprefix(_PREFIX).split(".")
    if modules == ["schedules"]:
        return f"keras.{first}.schedules"
    return _PUBLIC_CLASSES.get(kind.__name__) or _PUBLIC_MODULES.get(first, f"keras.{first}")


# -- reading ----------------------------------------------------------------------------------


def deserialize_keras_object(
    config: Any, custom_objects: Mapping[str, Any] | None = None, safe_mode: bool = True,
    **kwargs: Any,
) -> Any:
    """Make the object that ``serialize_keras_object`` described.

    Args:
        config: what it returned.
        custom_objects: classes and functions by name, asked after scopes and the registry and
            before the modules of this package.
        safe_mode: whether the code of a lambda in ``config`` is refused, and not run.
        **kwargs: ``module_objects``, more objects by name.
    Returns:
        Object, function or value.
    Raises:
        TypeError: nobody knows a class or function, or it has no ``from_config``.
        ValueError: for a lambda, in safe mode.
    """
    with lambdas.safe_mode_of(None if safe_mode else False):
        return _deserialized(config, custom_objects, **kwargs)


def _deserialized(
    config: Any, custom_objects: Mapping[str, Any] | None = None, **kwargs: Any
) -> Any:
    """Return the object of plain values; the mode is that of the block."""
    custom = {**(kwargs.pop("module_objects", None) or {}), **(custom_objects or {})}
    if isinstance(config, str) and get_registered_object(config, custom) is not None:
        return get_registered_object(config, custom)
    if config is None or isinstance(config, str | bool | int | float):
        return config
    if isinstance(config, list | tuple):
        return type(config)(_deserialized(item, custom_objects) for item in config)
    if not isinstance(config, dict):
        raise TypeError(f"Could not parse config: {config!r}")
    if "class_name" not in config or "config" not in config:
        items = config.items()
        return {key: _deserialized(value, custom_objects) for key, value in items}
    if config["class_name"] in _VALUES:
        return _VALUES[config["class_name"]](config["config"])
    return _deserialize_named(config, custom)


def _deserialize_named(config: dict[str, Any], custom: Mapping[str, Any]) -> Any:
    """Return the function or object of a dict with a class name."""
    inner = config["config"]
    if config["class_name"] == "function":
        if not isinstance(inner, str):
            raise TypeError(
                f"Expected 'config' to be a non-null str for a function, got {inner!r} (of type "
                f"{type(inner).__name__}). Full object config: {config}"
            )
        return _locate("function", inner, None, None, custom, config)
    if not isinstance(inner, dict):
        raise TypeError(
            f"Expected 'config' to be a dict for the class {config['class_name']!r}, got {inner!r} "
            f"(of type {type(inner).__name__}). Full object config: {config}"
        )
    kind = _locate(
        "class", config["class_name"], config.get("registered_name"), config.get("module"), custom,
        config,
    )  # fmt: skip
    if isinstance(kind, types.FunctionType):
        return kind
    if not hasattr(kind, "from_config"):
        raise TypeError(
            f"Unable to reconstruct an instance of '{config['class_name']}' because the class is "
            f"missing a `from_config()` method. Full object config: {config}"
        )
    with CustomObjectScope(custom):
        try:
            instance = kind.from_config(dict(inner))
        except TypeError as error:
            raise TypeError(
                f"{kind} could not be deserialized properly. Please ensure that components that "
                "are Python object instances (layers, models, etc.) returned by `get_config()` are "
                "explicitly deserialized in the model's `from_config()` method.\n\n"
                f"config={config}.\n\nException encountered: {error}"
            ) from error
        if config.get("build_config") and not getattr(instance, "built", False):
            instance.build_from_config(config["build_config"])
        if config.get("compile_config") and hasattr(instance, "compile_from_config"):
            instance.compile_from_config(config["compile_config"])
    return instance


_VALUES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "__bytes__": lambda c: c["value"].encode(),
    "__ellipsis__": lambda c: ...,
    "__lambda__": lambda c: lambdas.loaded(c["value"]),
    "__tuple__": lambda c: tuple(deserialize_keras_object(item) for item in c["value"]),
    "__slice__": lambda c: slice(c["start"], c["stop"], c["step"]),
    "__numpy__": lambda c: np.array(c["value"], c["dtype"]),
    "__tensor__": lambda c: wrap(np.array(c["value"], c["dtype"])),
}


def _locate(
    kind: str, name: str, registered: str | None, module: str | None, custom: Mapping[str, Any],
    config: dict[str, Any],
) -> Any:
    """Return the class or function of a name; TypeError if nobody knows it."""
    for candidate in (registered, name):
        located = get_registered_object(candidate, custom) if candidate else None
        if located is not None and not (kind == "function" and inspect.isclass(located)):
            return located
    if kind == "function":
        places = ("keras.activations", "keras.losses", "keras.metrics", "nn", "math")
        located = [_in_this_package(place, name) for place in places]
        functions = [
            function for function in located if isinstance(function, types.FunctionType | OpDef)
        ]
        if functions:
            _check_registered_name(config, name)
            return functions[0]
        # Keras 3.6 and before wrote the names of registered functions without their package
        alike = [
            function
            for key, function in {**_REGISTERED, **custom}.items()
            if key.endswith(f">{name}")
        ]
        if alike:
            return alike[-1]
    if module == "keras" or (module or "").startswith("keras."):
        located = _in_this_package(str(module), name)
        if inspect.isclass(located) or str(module) in _OF_FUNCTIONS and callable(located):
            _check_registered_name(config, name)
            return located
    raise TypeError(
        f"Could not locate {kind} {name!r}. Decorate custom classes and functions with "
        "@keras.saving.register_keras_serializable(), and import their modules before; or pass "
        f"custom_objects={{{name!r}: ...}}. Full object config: {config}"
    )


def _check_registered_name(config: dict[str, Any], name: str) -> None:
    """Raise ValueError where something of Keras' own is said to be registered."""
    registered = config.get("registered_name")
    if registered and registered not in (name, config.get("class_name")):
        raise ValueError(
            f"`registered_name={registered!r}` was provided in the config, but {name!r} resolved "
            "to a Keras built-in and does not use registered names. Remove the `registered_name` "
            f"field from the config. Full object config: {config}"
        )


def _in_this_package(module: str, name: str) -> Any:
    """Return a public class of Keras' by its module and name, or None."""
    if module == _PUBLIC_CLASSES.get(name):
        module = "keras.models"
    try:
        return getattr(importlib.import_module(f"runtime.{module}"), name, None)
    except ModuleNotFoundError:
        return None
