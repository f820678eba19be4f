"""``Lambda`` and ``Identity``: layers without weights of their own."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from runtime.keras.layers.base.conversion import staged
from runtime.keras.layers.base.layer import Layer

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
        return staged(self.function, self.name)(inputs, **kwargs)

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
        """Return the arguments; ValueError for a function that is not registered by name.

        Reading a model runs no code that the file holds, so a lambda cannot be saved.
        """
        from runtime.keras.serialization import get_registered_name, get_registered_object

        name = get_registered_name(self.function)
        if get_registered_object(name) is not self.function:
            raise ValueError(
                f"the function of layer {self.name!r} cannot be saved: decorate it with "
                "@keras.saving.register_keras_serializable(), or write a Layer"
            )
        return {**super().get_config(), "function": name, "arguments": self.arguments}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """Make a layer from its configuration; ValueError for a function that is not known."""
        from runtime.keras.serialization import get_registered_object

        function = config["function"]
        if isinstance(function, str):
            found = get_registered_object(function, custom_objects)
            if found is None:
                raise ValueError(
                    f"the function {function!r} of a Lambda layer is not registered: decorate it "
                    "with @keras.saving.register_keras_serializable(), or name it in custom_objects"
                )
            config = {**config, "function": found}
        return cls(**config)


class Identity(Layer):
    """Layer that returns its inputs."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """Return the inputs."""
        return inputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return input_shape
