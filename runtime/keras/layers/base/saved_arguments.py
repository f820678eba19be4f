"""Configuration of layers that define none: the arguments that they were made with."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from runtime.types.dtypes import DType

_OF_KERAS = ("quantization_config",)
"""What Keras writes about its layers, as None, that has no meaning here."""


def made_again(kind: Any, config: dict[str, Any], by_arguments: bool) -> Any:
    """Make a layer from its configuration, or from that of Keras.

    ``by_arguments``: the configuration is what ``saved_arguments`` returned, and the name.
    """
    arguments = {n: value for n, value in config.items() if n not in _OF_KERAS or value is not None}
    if not by_arguments or takes_keyword(kind.__init__, "name"):
        return kind(**arguments)
    name = arguments.pop("name", None)
    layer = kind(**arguments)
    layer._name = layer.name if name is None else name
    return layer


def saved_arguments(owner: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call of a class, by name.

    NotImplementedError where one of them is no number, text, None, or nest of those.
    """
    bound = inspect.signature(type(owner).__init__).bind(owner, *args, **kwargs).arguments
    arguments: dict[str, Any] = {}
    for parameter in list(inspect.signature(type(owner).__init__).parameters.values())[1:]:
        if parameter.kind is parameter.VAR_KEYWORD:
            arguments.update(bound.get(parameter.name, {}))
        elif parameter.name in bound:
            arguments[parameter.name] = bound[parameter.name]
    for name, value in arguments.items():
        if not _is_plain(value):
            kind = type(owner).__name__
            raise NotImplementedError(
                f"{kind} has no get_config(), and its argument {name!r} is a "
                f"{type(value).__name__}, which says nothing about how to make it again: define "
                f"get_config() and from_config() in {kind}"
            )
    return {name: _plain(value) for name, value in arguments.items()}


def takes_keyword(function: Any, name: str) -> bool:
    """Return whether a function can be called with an argument by this name."""
    parameter = inspect.signature(function).parameters.get(name)
    named = parameter is not None and parameter.kind not in (
        parameter.POSITIONAL_ONLY,
        parameter.VAR_POSITIONAL,
    )
    return named or takes_any_keyword(function)


def takes_any_keyword(function: Any) -> bool:
    """Return whether a function has a parameter such as ``**kwargs``."""
    parameters = inspect.signature(function).parameters.values()
    return any(p.kind is p.VAR_KEYWORD for p in parameters)


def _is_plain(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    if isinstance(value, dict):
        return all(map(_is_plain, value.values()))
    return value is None or isinstance(value, bool | int | float | str | DType | np.generic)


def _plain(value: Any) -> Any:
    if isinstance(value, DType):
        return value.name
    return value.item() if isinstance(value, np.generic) else value
