"""``Convolving``: base of layers that multiply windows by kernels, and add a bias."""

from __future__ import annotations

from typing import Any

from runtime.keras import activations, constraints, initializers, regularizers
from runtime.keras.layers.base.input_spec import InputSpec
from runtime.keras.layers.convolution.windows import Windowed, chosen, one_an_axis
from runtime.keras.layers.dense import weight_config
from runtime.ops.array.concat_split import pad
from runtime.ops.nn.activations_losses import bias_add


class Convolving(Windowed):
    """Base of layers that multiply windows by kernels.

    ``weight_names`` are the weights whose initializer, regularizer and constraint are arguments.
    """

    _takes_floats = True

    weight_names: tuple[str, ...] = ("kernel", "bias")
    paddings: tuple[str, ...] = ("valid", "same")

    def _set_windows(
        self, kernel_size: Any, strides: Any, padding: str, data_format: str | None,
        dilation_rate: Any,
    ) -> None:  # fmt: skip
        self._set_axes(data_format)
        self.kernel_size = one_an_axis(kernel_size, self.rank, "kernel_size")
        self.strides = one_an_axis(strides, self.rank, "strides")
        self.dilation_rate = one_an_axis(dilation_rate, self.rank, "dilation_rate")
        self.padding = chosen(padding, self.paddings, "padding", type(self).__name__)
        if max(self.strides) > 1 and max(self.dilation_rate) > 1:
            raise ValueError(
                "`strides > 1` not supported in conjunction with `dilation_rate > 1`. Received: "
                f"strides={self.strides} and dilation_rate={self.dilation_rate}"
            )

    def _set_outputs(self, activation: Any, use_bias: bool, **weights: Any) -> None:
        """Keep what the outputs go through, and what each weight is made with."""
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        for name, value in weights.items():
            kind = name.rpartition("_")[2]
            module: Any = {
                "initializer": initializers, "regularizer": regularizers, "constraint": constraints,
            }[kind]  # fmt: skip
            setattr(self, name, module.get(value))

    def _add(self, name: str, shape: Any, arguments: str | None = None) -> Any:
        """Make a weight with the arguments of its name, or of another one."""
        arguments = arguments or name
        return self.add_weight(
            shape, getattr(self, f"{arguments}_initializer"), name=name,
            regularizer=getattr(self, f"{arguments}_regularizer"),
            constraint=getattr(self, f"{arguments}_constraint"),
        )  # fmt: skip

    def _add_bias(self, size: int) -> None:
        self.bias = self._add("bias", (size,)) if self.use_bias else None

    def _channels_of(self, shape: Any) -> int:
        """Return how many channels inputs have, which is fixed then; ValueError if unknown."""
        size = shape[self._channel_axis]
        if size is None:
            raise ValueError(
                "The channel dimension of the inputs should be defined. Found None in the shape "
                f"{tuple(shape)} of the input of layer {self.name!r}"
            )
        self.input_spec = InputSpec(min_ndim=self.rank + 2, axes={self._channel_axis: size})
        return int(size)

    def _padded(self, inputs: Any) -> tuple[Any, str]:
        """Return the inputs and the padding of the operation; 'causal' pads the past with zeros."""
        if self.padding != "causal":
            return inputs, self.padding.upper()
        widths = [[0, 0] for _ in range(3)]
        past = self.dilation_rate[0] * (self.kernel_size[0] - 1)
        widths[2 if self._channels_first else 1] = [past, 0]
        return pad(inputs, widths), "VALID"

    def _finished(self, outputs: Any) -> Any:
        """Return the outputs with the bias, through the activation."""
        if self.bias is not None:
            outputs = bias_add(outputs, self.bias, self._layout)
        return outputs if self.activation is None else self.activation(outputs)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = super().get_config()
        return {
            **config, "kernel_size": self.kernel_size, "strides": self.strides,
            "padding": self.padding, "data_format": self.data_format,
            "dilation_rate": self.dilation_rate, "use_bias": self.use_bias,
            "activation": activations.serialize(self.activation),
            "activity_regularizer": config.get("activity_regularizer"),
            **weight_config(self, self.weight_names),
        }  # fmt: skip
