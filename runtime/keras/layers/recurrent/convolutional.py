"""``ConvLSTM1D``, ``ConvLSTM2D`` and ``ConvLSTM3D``: LSTMs whose products are convolutions."""

from __future__ import annotations

from typing import Any

from runtime.keras import activations
from runtime.keras.layers.base.input_spec import InputSpec
from runtime.keras.layers.convolution.windows import Windowed, chosen, one_an_axis, window_sizes
from runtime.keras.layers.dense import positive_int, weight_config
from runtime.keras.layers.recurrent.cells import LSTMCell
from runtime.keras.layers.recurrent.layers import _OfCell
from runtime.ops.array.concat_split import split
from runtime.ops.array.creation import ones_like, zeros
from runtime.ops.array.shape import reshape
from runtime.ops.nn.activations_losses import dropout
from runtime.ops.nn.convolution_api import convolution

__all__ = ["ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D"]


class _ConvLSTMCell(LSTMCell, Windowed):
    """One step: the inputs are images, and so are the states."""

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: str = "valid",
        data_format: str | None = None, dilation_rate: Any = 1, activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid", use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros", unit_forget_bias: bool = True, **kwargs: Any,
    ) -> None:  # fmt: skip
        kind = f"ConvLSTM{self.rank}D"
        super().__init__(
            positive_int(filters, "filters", kind), activation, recurrent_activation, use_bias,
            kernel_initializer, recurrent_initializer, bias_initializer, unit_forget_bias, **kwargs,
        )  # fmt: skip
        self._set_axes(data_format)
        self.filters = filters
        self.kernel_size = one_an_axis(kernel_size, self.rank, "kernel_size")
        self.strides = one_an_axis(strides, self.rank, "strides")
        self.padding = chosen(padding, ("valid", "same"), "padding", kind)
        self.dilation_rate = one_an_axis(dilation_rate, self.rank, "dilation_rate")
        if max(self.strides) > 1 and max(self.dilation_rate) > 1:
            raise ValueError(
                "Specifying `strides > 1` is not compatible with `dilation_rate > 1`. Received: "
                f"strides={self.strides} and dilation_rate={self.dilation_rate}"
            )

    def build(self, input_shape: Any) -> None:
        """Make ``kernel``, ``recurrent_kernel`` and ``bias``."""
        channels = input_shape[self._channel_axis]
        if None in (*self._inner(input_shape), channels):
            raise ValueError(
                "ConvLSTM layers only support static input shapes for the spatial dimension and "
                f"the channels. Received invalid input shape: input_shape={input_shape}"
            )
        self._state_shape = self.compute_output_shape(input_shape)[1:]
        for name, inputs in (("kernel", channels), ("recurrent_kernel", self.filters)):
            stem = name.removesuffix("_kernel")
            setattr(self, name, self.add_weight(
                (*self.kernel_size, inputs, 4 * self.filters),
                getattr(self, f"{stem}_initializer"), name=name,
                regularizer=getattr(self, f"{stem}_regularizer"),
                constraint=getattr(self, f"{stem}_constraint"),
            ))  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                self._bias_shape(), self._initial_bias, name="bias",
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip

    def get_initial_state(self, batch_size: Any = None) -> list[Any]:
        """Return states of zeros for a batch."""
        return [zeros([batch_size, *self._state_shape], self.compute_dtype) for _ in range(2)]

    def call(self, inputs: Any, states: Any, training: Any = False) -> Any:
        """Make a step."""
        of_inputs, of_state = self._for_gates(inputs, states[0], training)
        entering = split(self.kernel, 4, axis=-1)
        recurring = split(self.recurrent_kernel, 4, axis=-1)
        sums = []
        for n in range(4):
            total = convolution(
                of_inputs[n], entering[n], list(self.strides), self.padding.upper(), self._layout,
                list(self.dilation_rate),
            )  # fmt: skip
            total = total + convolution(of_state[n], recurring[n], 1, "SAME", self._layout)
            sums.append(total + self._bias(n) if self.bias is not None else total)
        gate = self.recurrent_activation
        carry = gate(sums[1]) * states[1] + gate(sums[0]) * self.activation(sums[2])
        output = gate(sums[3]) * self.activation(carry)
        return output, [output, carry]

    def _bias(self, number: int) -> Any:
        gate_bias = split(self.bias, 4)[number]
        inner = [1] * self.rank
        sizes = [self.filters, *inner] if self._channels_first else [*inner, self.filters]
        return reshape(gate_bias, [1, *sizes])

    def _for_gates(self, inputs: Any, state: Any, training: Any) -> tuple[list[Any], list[Any]]:
        """Return what each gate sees: other elements are dropped for each, in all steps."""
        masks = self._masks
        gate_inputs, before = [inputs] * 4, [state] * 4
        if training and self.dropout:
            if masks.inputs is None:
                masks.inputs = self._drawn(inputs, self.dropout)
            gate_inputs = [inputs * mask for mask in masks.inputs]
        if training and self.recurrent_dropout:
            if masks.states is None:
                masks.states = self._drawn(state, self.recurrent_dropout)
            before = [state * mask for mask in masks.states]
        return gate_inputs, before

    def _drawn(self, value: Any, rate: float) -> list[Any]:
        seeds = [None if self.seed is None else self.seed + n for n in range(4)]
        return [dropout(ones_like(value), rate, seed=seed) for seed in seeds]

    def compute_output_shape(self, input_shape: Any, state_shape: Any = None) -> Any:
        """Return the shape of the outputs."""
        inner = window_sizes(
            self._inner(input_shape), self.kernel_size, self.strides, self.padding,
            self.dilation_rate,
        )  # fmt: skip
        return self._around(input_shape, inner, self.filters)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = {
            **super().get_config(), "filters": self.filters, "kernel_size": self.kernel_size,
            "strides": self.strides, "padding": self.padding, "data_format": self.data_format,
            "dilation_rate": self.dilation_rate,
            **weight_config(self, ("kernel", "recurrent", "bias")),
            "recurrent_activation": activations.serialize(self.recurrent_activation),
        }  # fmt: skip
        del config["units"]
        return config


class _ConvLSTMCell1D(_ConvLSTMCell):
    rank = 1


class _ConvLSTMCell2D(_ConvLSTMCell):
    rank = 2


class _ConvLSTMCell3D(_ConvLSTMCell):
    rank = 3


class _ConvLSTM(_OfCell):
    cell_name = "conv_lstm_cell"

    def __init__(self, filters: int, kernel_size: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(filters, kernel_size, *args, **kwargs)
        self.input_spec = InputSpec(ndim=self.cell_class.rank + 3)

    def compute_output_shape(self, sequences_shape: Any, initial_state_shape: Any = None) -> Any:
        """Return the shape of the outputs, and with ``return_state`` of the states."""
        batch, steps, *sizes = sequences_shape
        step_shape = tuple(self.cell.compute_output_shape((batch, *sizes)))
        output_shape = (batch, steps, *step_shape[1:]) if self.return_sequences else step_shape
        return (output_shape, step_shape, step_shape) if self.return_state else output_shape


class ConvLSTM1D(_ConvLSTM):
    """LSTM over steps that are sequences, (batch, steps, size, channels), with convolutions.

    Source: Shi et al., Convolutional LSTM Network, 2015, arXiv:1506.04214.

    Args:
        filters: number of kernels of each gate, and of channels of the output.
        kernel_size: size of the kernels.
        args: the arguments of ``Conv1D`` from ``strides`` to ``dilation_rate``, then of ``LSTM``.
        kwargs: these by name, and the arguments of ``RNN``.

    Raises:
        ValueError: for arguments that are none of these, and for inner sizes that are not known.
    """

    cell_class = _ConvLSTMCell1D


class ConvLSTM2D(_ConvLSTM):
    """LSTM over steps that are images, (batch, steps, height, width, channels), as ``ConvLSTM1D``.
    """

    cell_class = _ConvLSTMCell2D


class ConvLSTM3D(_ConvLSTM):
    """LSTM over steps that are volumes, as ``ConvLSTM1D``."""

    cell_class = _ConvLSTMCell3D
