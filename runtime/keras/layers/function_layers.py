"""``Lambda`` and ``Identity``: layers without weights of their own."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from runtime.keras import lambdas
from runtime.keras.layers.base.layer import Layer
from runtime.staging.conversion import converted_in_graph

__all__ = ["Identity", "Lambda"]


class Lambda(Layer):
    """Layer that calls a function with its inputs, with ``mask`` and ``training`` if it has these.

    Args:
        function: function of the inputs.
        output_shape: shape of the output of a sample, or function of the inputs' shape; it is found
            out by a call otherwise.
        mask: mask of the outputs, or function of the inputs and their mask.
        arguments: keyword arguments of the function.
        kwargs: arguments of ``Layer``.
    """

    def __init__(
        self, function: Callable[..., Any], output_shape: Any = None, mask: Any = None,
        arguments: dict[str, Any] | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self.function = function
        self.arguments = dict(arguments or {})
        self.mask = mask
        self.supports_masking = mask is not None
        self._shape = output_shape
        names = inspect.signature(function).parameters
        self._takes_mask, self._takes_training = "mask" in names, "training" in names

    def call(self, inputs: Any, mask: Any = None, training: Any = None) -> Any:
        """Call the function."""
        kwargs = dict(self.arguments)
        if self._takes_mask:
            kwargs["mask"] = mask
        if self._takes_training:
            kwargs["training"] = training
        return converted_in_graph(self.function, self.name)(inputs, **kwargs)

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """Return the mask of the outputs."""
        return self.mask(inputs, previous_mask) if callable(self.mask) else self.mask

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        if self._shape is None:
            return super().compute_output_shape(input_shape)
        if callable(self._shape):
            return self._shape(input_shape)
        return (input_shape[0], *self._shape)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments: functions by their names, lambdas as code.

        Code is read with ``safe_mode=False`` only; other functions must be registered to be found.
        """
        from runtime.keras.serialization import serialize_keras_object

        config = {**super().get_config(), "function": _described(self.function)}
        if self._shape is not None:
            config["output_shape"] = _described(self._shape)
        if self.mask is not None:
            config["mask"] = _described(self.mask)
        return {**config, "arguments": serialize_keras_object(self.arguments)}

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: Any = None, safe_mode: bool | None = None
    ) -> Any:
        """Make a layer from its configuration; ValueError for a lambda in safe mode.

        TypeError for a function that is not known.
        """
        from runtime.keras.serialization import deserialize_keras_object

        config = dict(config)
        with lambdas.safe_mode_of(safe_mode):
            for name in "function", "output_shape", "mask":
                if name in config:
                    config[name] = _read(config[name], custom_objects)
        if isinstance(config.get("output_shape"), list):
            config["output_shape"] = tuple(config["output_shape"])
        arguments = config.get("arguments")
        return cls(**{**config, "arguments": deserialize_keras_object(arguments, custom_objects)})


def _described(value: Any) -> Any:
    """Return a function, or another argument, as plain values; a lambda as Keras' Lambda does."""
    from runtime.keras.serialization import serialize_keras_object

    if not lambdas.is_lambda(value):
        return serialize_keras_object(value)
    code, defaults, closure = lambdas.dumped(value)
    config = serialize_keras_object({"code": code, "defaults": defaults, "closure": closure})
    return {"class_name": "__lambda__", "config": config}


def _read(value: Any, custom_objects: Any) -> Any:
    """Return the function, or other value, of ``_described``."""
    from runtime.keras.serialization import deserialize_keras_object, get_registered_object

    if isinstance(value, dict) and value.get("class_name") == "__lambda__":
        return lambdas.loaded(**value["config"])
    if isinstance(value, str):  # as earlier versions of this package wrote registered functions
        return get_registered_object(value, custom_objects) or value
    return deserialize_keras_object(value, custom_objects)


class Identity(Layer):
    """Layer that returns its inputs."""

    _is_stateless = True

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """Return the inputs."""
        return inputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return input_shape
