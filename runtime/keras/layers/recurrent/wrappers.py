"""``Bidirectional`` and ``TimeDistributed``: layers around others, for sequences."""

from __future__ import annotations

from typing import Any

from runtime.keras.layers.base.layer import Layer
from runtime.ops.array.concat_split import concat
from runtime.ops.array.shape import reshape, reverse
from runtime.ops.array.shape import shape as shape_of

__all__ = ["Bidirectional", "TimeDistributed", "Wrapper"]


class Wrapper(Layer):
    """Base of layers around another one, ``layer``.  TypeError for what is no layer."""

    def __init__(self, layer: Any, **kwargs: Any) -> None:
        if not isinstance(layer, Layer):
            raise ValueError(
                f"Layer {layer} supplied to Wrapper isn't a supported layer type. Please ensure "
                "wrapped layer is a valid Keras layer."
            )
        super().__init__(**kwargs)
        self.layer = layer

    def build(self, input_shape: Any = None) -> None:
        """Make the weights of the layer, too."""
        if not self.layer.built:
            self.layer.build(input_shape)
            self.layer.built = True

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        from runtime.keras.serialization import serialize_keras_object

        return {**super().get_config(), "layer": serialize_keras_object(self.layer)}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """Make a layer from its configuration."""
        from runtime.keras.serialization import deserialize_keras_object

        inner = deserialize_keras_object(config["layer"], custom_objects)
        return cls(**{**config, "layer": inner})


class TimeDistributed(Wrapper):
    """Layer that calls another one for each step of sequences (batch, steps, ...)."""

    def __init__(self, layer: Any, **kwargs: Any) -> None:
        super().__init__(layer, **kwargs)
        self.supports_masking = True

    def build(self, input_shape: Any = None) -> None:
        """Make the weights of the layer."""
        if len(input_shape) < 3:
            raise ValueError(
                "`TimeDistributed` Layer should be passed an `input_shape` with at least 3 "
                f"dimensions, received: {input_shape}"
            )
        if not self.layer.built:
            self.layer.build((input_shape[0], *input_shape[2:]))
            self.layer.built = True

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """Call the layer with all steps of all sequences as one batch."""
        sizes, static = shape_of(inputs), inputs.shape.as_list()
        inner = [sizes[n] if size is None else size for n, size in enumerate(static)]
        together = reshape(inputs, [-1, *inner[2:]])
        kwargs = {}
        if mask is not None and not inputs.shape[:2].is_compatible_with(mask.shape[:2]):
            raise ValueError(
                "The `mask` passed to the `TimeDistributed` layer has a shape other than (batch, "
                f"steps) of its inputs, {inputs.shape[:2]}. Received: mask.shape={mask.shape}"
            )
        if mask is not None and self.layer._signature.masks:
            kwargs["mask"] = reshape(mask, [-1, *mask.shape.as_list()[2:]])
        outputs = self.layer(together, **kwargs)
        output_sizes = [
            sizes[0] if static[0] is None else static[0],
            inner[1],
            *outputs.shape.as_list()[1:],
        ]
        return reshape(outputs, output_sizes)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        inner = self.layer.compute_output_shape((input_shape[0], *input_shape[2:]))
        return (inner[0], input_shape[1], *inner[1:])


class Bidirectional(Wrapper):
    """Layer that runs a recurrent layer over sequences, and another one backwards.

    Args:
        layer: recurrent layer.
        merge_mode: how the outputs are joined: 'concat', 'sum', 'mul', 'ave', or None for a list.
        weights: arrays to start with.
        backward_layer: layer for the other direction; a copy of ``layer`` by default.
        kwargs: arguments of ``Layer``.

    Raises:
        TypeError: for other layers.
        ValueError: for other modes, and for layers that go in the same direction.
    """

    def __init__(
        self, layer: Any, merge_mode: str | None = "concat", weights: Any = None,
        backward_layer: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        if not hasattr(layer, "go_backwards"):
            raise ValueError(f"Bidirectional takes a recurrent layer, got {layer!r}")
        super().__init__(layer, weights=weights, **kwargs)
        if merge_mode not in ("sum", "mul", "ave", "concat", None):
            raise ValueError(
                f'Invalid merge mode. Received: merge_mode={merge_mode}. Merge mode should be one '
                'of {"sum", "mul", "ave", "concat", None}'
            )
        backward, config = backward_layer, layer.get_config()
        self.forward_layer = type(layer).from_config({**config, "name": f"forward_{layer.name}"})
        if backward is None:
            backwards = {**config, "go_backwards": not layer.go_backwards}
            backward = type(layer).from_config({**backwards, "name": f"backward_{layer.name}"})
        elif backward.go_backwards == layer.go_backwards:
            raise ValueError("forward layer and backward layer must go in other directions")
        self.backward_layer = backward
        for direction in self.forward_layer, backward:
            if hasattr(layer, "use_cudnn"):  # no argument of the configuration
                direction.use_cudnn = layer.use_cudnn
            if hasattr(
                direction, "zero_output_for_mask"
            ):  # both directions leave the same steps out
                direction.zero_output_for_mask = direction.return_sequences
        del self.layer
        self.merge_mode = merge_mode
        self.return_sequences = layer.return_sequences
        self.return_state = layer.return_state
        self.supports_masking = True

    def build(  # type: ignore[override]
        self, sequences_shape: Any, initial_state_shape: Any = None
    ) -> None:
        """Make the weights of both layers."""
        for layer in (self.forward_layer, self.backward_layer):
            if not layer.built:
                layer.build(sequences_shape)

    def call(
        self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = None
    ) -> Any:
        """Run both layers, and join their outputs; states follow with ``return_state``."""
        first: dict[str, Any] = {}
        second: dict[str, Any] = {}
        if initial_state is not None:
            half = len(initial_state) // 2
            first["initial_state"], second["initial_state"] = (
                list(initial_state[:half]), list(initial_state[half:]),
            )  # fmt: skip
        forward = self.forward_layer(sequences, mask=mask, **first)
        backward = self.backward_layer(sequences, mask=mask, **second)
        states: list[Any] = []
        if self.return_state:
            states = [*forward[1:], *backward[1:]]
            forward, backward = forward[0], backward[0]
        if self.return_sequences:
            backward = reverse(backward, [1])
        output = self._joined(forward, backward)
        if not states:
            return output
        return [*output, *states] if self.merge_mode is None else [output, *states]

    def _joined(self, a: Any, b: Any) -> Any:
        if self.merge_mode == "concat":
            return concat([a, b], -1)
        if self.merge_mode == "sum":
            return a + b
        if self.merge_mode == "ave":
            return (a + b) / 2
        return a * b if self.merge_mode == "mul" else [a, b]

    def compute_mask(self, inputs: Any, previous_mask: Any) -> Any:
        """Return the mask of the steps, if all are returned."""
        mask = previous_mask[0] if isinstance(previous_mask, list | tuple) else previous_mask
        return mask if self.return_sequences and not self.return_state else None

    def reset_state(self) -> None:
        """Set the states that are kept to zero."""
        self.forward_layer.reset_state()
        self.backward_layer.reset_state()

    reset_states = reset_state

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        from runtime.keras.serialization import serialize_keras_object

        return {
            **Layer.get_config(self), "merge_mode": self.merge_mode,
            "layer": serialize_keras_object(self.forward_layer),
            "backward_layer": serialize_keras_object(self.backward_layer),
        }  # fmt: skip

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """Make a layer from its configuration."""
        from runtime.keras.serialization import deserialize_keras_object

        backward = config.get("backward_layer")
        if backward is not None:
            backward = deserialize_keras_object(backward, custom_objects)
        return super().from_config({**config, "backward_layer": backward}, custom_objects)
