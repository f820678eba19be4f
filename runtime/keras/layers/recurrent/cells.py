"""Cells of recurrent layers: one step each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.keras import activations, constraints, initializers, regularizers
from runtime.keras.layers.base.layer import Layer
from runtime.keras.layers.dense import positive_int, weight_config
from runtime.ops.array.concat_split import concat, split, unstack
from runtime.ops.array.creation import ones, ones_like, zeros
from runtime.ops.linalg.products import matmul
from runtime.ops.nn.activations_losses import dropout
from runtime.types import nest

__all__ = ["GRUCell", "LSTMCell", "SimpleRNNCell", "StackedRNNCells"]

_WEIGHTS = ("kernel", "recurrent", "bias")


class _Cell(Layer):
    """Base of cells with a kernel for the inputs, one for the state, and a bias."""

    _takes_floats = True

    gates = 1

    def __init__(
        self, units: int, activation: Any = "tanh", use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None, bias_regularizer: Any = None,
        kernel_constraint: Any = None, recurrent_constraint: Any = None,
        bias_constraint: Any = None, dropout: float = 0.0, recurrent_dropout: float = 0.0,
        seed: int | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        kwargs.pop("implementation", None)
        super().__init__(**kwargs)
        self.units = positive_int(units, "units", type(self).__name__)
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.recurrent_initializer = initializers.get(recurrent_initializer)
        self.bias_initializer: Any = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.recurrent_regularizer = regularizers.get(recurrent_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.recurrent_constraint = constraints.get(recurrent_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.dropout = min(1.0, max(0.0, dropout))
        self.recurrent_dropout = min(1.0, max(0.0, recurrent_dropout))
        self.seed = seed
        self.state_size: Any = self.units
        self.output_size = self.units
        self._masks = _DropoutMasks()

    def build(self, input_shape: Any) -> None:
        """Make ``kernel``, ``recurrent_kernel`` and ``bias``."""
        size = self.units * self.gates
        self.kernel = self.add_weight(
            (input_shape[-1], size), self.kernel_initializer, name="kernel",
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        self.recurrent_kernel = self.add_weight(
            (self.units, size), self.recurrent_initializer, name="recurrent_kernel",
            regularizer=self.recurrent_regularizer, constraint=self.recurrent_constraint,
        )  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                self._bias_shape(), self._initial_bias, name="bias",
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip

    def _bias_shape(self) -> tuple[int, ...]:
        return (self.units * self.gates,)

    def _initial_bias(self, shape: Any, dtype: Any = None) -> Any:
        return self.bias_initializer(shape, dtype=dtype)

    def get_initial_state(self, batch_size: Any = None) -> list[Any]:
        """Return states of zeros for a batch."""
        sizes = self.state_size if isinstance(self.state_size, list) else [self.state_size]
        return [zeros([batch_size, size], self.compute_dtype) for size in sizes]

    def reset_dropout_masks(self) -> None:
        """Forget what is dropped, so that the next step draws it anew."""
        self._masks.inputs = self._masks.states = None

    def _dropped(self, inputs: Any, state: Any, training: Any) -> tuple[Any, Any]:
        """Return the inputs and the state without what is dropped in all steps of a sequence."""
        masks = self._masks
        if training and self.dropout:
            if masks.inputs is None:
                masks.inputs = dropout(ones_like(inputs), self.dropout, seed=self.seed)
            inputs = inputs * masks.inputs
        if training and self.recurrent_dropout:
            if masks.states is None:
                masks.states = dropout(ones_like(state), self.recurrent_dropout, seed=self.seed)
            state = state * masks.states
        return inputs, state

    def compute_output_shape(self, input_shape: Any, state_shape: Any = None) -> Any:
        """Return the shape of the outputs."""
        return (input_shape[0], self.units)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {
            **super().get_config(), "units": self.units, "use_bias": self.use_bias,
            "activation": activations.serialize(self.activation), "dropout": self.dropout,
            "recurrent_dropout": self.recurrent_dropout, "seed": self.seed,
            **weight_config(self, _WEIGHTS),
        }  # fmt: skip


class _DropoutMasks:
    """What the steps of a sequence drop, once it is drawn."""

    inputs: Any = None
    states: Any = None


def _first(states: Any) -> Any:
    return states[0] if isinstance(states, list | tuple) else states


class SimpleRNNCell(_Cell):
    """``output = activation(inputs @ kernel + state @ recurrent_kernel + bias)``, the new state.

    A call takes inputs (batch, size) and states, and returns the output and the new states.
    """

    def call(self, inputs: Any, states: Any, training: Any = False) -> Any:
        """Make a step."""
        inputs, state = self._dropped(inputs, _first(states), training)
        output = matmul(inputs, self.kernel) + matmul(state, self.recurrent_kernel)
        if self.bias is not None:
            output = output + self.bias
        if self.activation is not None:
            output = self.activation(output)
        return output, [output] if isinstance(states, list | tuple) else output


class LSTMCell(_Cell):
    """Long short-term memory: states are the output and the carry, (batch, units) each.

    The gates are input, forget, cell and output, in this order along the last axis of the kernels.
    Source: Hochreiter and Schmidhuber, Long Short-Term Memory, 1997; Gers et al., 2000.
    """

    gates = 4

    def __init__(
        self, units: int, activation: Any = "tanh", recurrent_activation: Any = "sigmoid",
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal", bias_initializer: Any = "zeros",
        unit_forget_bias: bool = True, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(
            units, activation, use_bias, kernel_initializer, recurrent_initializer,
            bias_initializer, **kwargs,
        )  # fmt: skip
        self.recurrent_activation = activations.get(recurrent_activation)
        self.unit_forget_bias = unit_forget_bias
        self.state_size = [self.units, self.units]

    def _initial_bias(self, shape: Any, dtype: Any = None) -> Any:
        if not self.unit_forget_bias:
            return super()._initial_bias(shape, dtype)
        make, units = self.bias_initializer, self.units
        return concat(
            [make([units], dtype=dtype), ones([units], dtype), make([2 * units], dtype=dtype)], 0
        )

    def call(self, inputs: Any, states: Any, training: Any = False) -> Any:
        """Make a step."""
        inputs, hidden = self._dropped(inputs, states[0], training)
        z = matmul(inputs, self.kernel) + matmul(hidden, self.recurrent_kernel)
        if self.bias is not None:
            z = z + self.bias
        enter, keep, cell, leave = split(z, 4, axis=1)
        gate = self.recurrent_activation
        carry = gate(keep) * states[1] + gate(enter) * self.activation(cell)
        output = gate(leave) * self.activation(carry)
        return output, [output, carry]

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {
            **super().get_config(), "unit_forget_bias": self.unit_forget_bias,
            "recurrent_activation": activations.serialize(self.recurrent_activation),
        }  # fmt: skip


class GRUCell(_Cell):
    """Gated recurrent unit: the state is the output, (batch, units).

    The gates are update, reset and candidate, in this order along the last axis of the kernels.
    ``reset_after`` applies the reset gate after the product with the state's kernel, which then has
    a bias of its own.  Source: Cho et al., 2014, arXiv:1406.1078.
    """

    gates = 3

    def __init__(
        self, units: int, activation: Any = "tanh", recurrent_activation: Any = "sigmoid",
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal", bias_initializer: Any = "zeros",
        reset_after: bool = True, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(
            units, activation, use_bias, kernel_initializer, recurrent_initializer,
            bias_initializer, **kwargs,
        )  # fmt: skip
        self.recurrent_activation = activations.get(recurrent_activation)
        self.reset_after = reset_after

    def _bias_shape(self) -> tuple[int, ...]:
        return (2, 3 * self.units) if self.reset_after else (3 * self.units,)

    def call(self, inputs: Any, states: Any, training: Any = False) -> Any:
        """Make a step."""
        state = _first(states)
        inputs, hidden = self._dropped(inputs, state, training)
        gate, units = self.recurrent_activation, self.units
        of_inputs = matmul(inputs, self.kernel)
        bias: Sequence[Any] = (None, None)
        if self.bias is not None:
            bias = unstack(self.bias, num=2) if self.reset_after else (self.bias, None)
            of_inputs = of_inputs + bias[0]
        x_update, x_reset, x_candidate = split(of_inputs, 3, axis=-1)
        if self.reset_after:
            of_state = matmul(hidden, self.recurrent_kernel)
            if bias[1] is not None:
                of_state = of_state + bias[1]
            h_update, h_reset, h_candidate = split(of_state, 3, axis=-1)
            candidate = gate(x_reset + h_reset) * h_candidate
        else:
            kernel = self.recurrent_kernel
            h_update, h_reset = split(matmul(hidden, kernel[:, : 2 * units]), 2, axis=-1)
            candidate = matmul(gate(x_reset + h_reset) * hidden, kernel[:, 2 * units :])
        update = gate(x_update + h_update)
        output = update * state + (1 - update) * self.activation(x_candidate + candidate)
        return output, [output] if isinstance(states, list | tuple) else output

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {
            **super().get_config(), "reset_after": self.reset_after,
            "recurrent_activation": activations.serialize(self.recurrent_activation),
        }  # fmt: skip


class StackedRNNCells(Layer):
    """Cells one on top of the other, as one cell: each takes the output of the one before.

    ValueError for what has no ``state_size``.
    """

    def __init__(self, cells: Sequence[Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        for cell in cells:
            if not hasattr(cell, "state_size") or not callable(cell):
                raise ValueError(f"a cell needs `call` and `state_size`, got {cell!r}")
        self.cells = list(cells)

    def build(self, input_shape: Any) -> None:
        """Make the weights of the cells."""
        shape = input_shape
        for cell in self.cells:
            if isinstance(cell, Layer) and not cell.built:
                cell.build(shape)
                cell.built = True
            size = getattr(cell, "output_size", None) or cell.state_size
            shape = (shape[0], size[0] if isinstance(size, list | tuple) else size)

    @property
    def state_size(self) -> list[Any]:
        """Sizes of the states of the cells: for each what it has itself."""
        return [cell.state_size for cell in self.cells]

    @property
    def output_size(self) -> Any:
        """Size of the last cell's output."""
        return getattr(self.cells[-1], "output_size", _sizes(self.cells[-1])[0])

    def get_initial_state(self, batch_size: Any = None) -> list[Any]:
        """Return states of zeros for a batch: for each cell one, or a list."""
        return [
            like_sizes(cell.state_size, initial_state(cell, batch_size)) for cell in self.cells
        ]

    def call(self, inputs: Any, states: Any, training: Any = False) -> Any:
        """Make a step of each cell."""
        new: list[Any] = []
        for cell, state in zip(self.cells, states, strict=True):
            inputs, new_state = cell(inputs, nest.flatten(state))
            new.append(like_sizes(cell.state_size, nest.flatten(new_state)))
        return inputs, new

    def reset_dropout_masks(self) -> None:
        """Forget what the cells drop."""
        for cell in self.cells:
            if hasattr(cell, "reset_dropout_masks"):
                cell.reset_dropout_masks()

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        from runtime.keras.serialization import serialize_keras_object

        return {
            **super().get_config(), "cells": [serialize_keras_object(cell) for cell in self.cells]
        }

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """Make cells from their configuration."""
        from runtime.keras.serialization import deserialize_keras_object

        cells = [
            deserialize_keras_object(cell_config, custom_objects) for cell_config in config["cells"]
        ]
        return cls(**{**config, "cells": cells})


def _sizes(cell: Any) -> list[Any]:
    """Return the sizes of the states of a cell, as a flat list."""
    return nest.flatten(cell.state_size)


def like_sizes(state_size: Any, states: list[Any]) -> Any:
    """Return states of a flat list in the structure of ``state_size``: a state, or lists."""
    return nest.pack_sequence_as(state_size, states)


def initial_state(cell: Any, batch_size: Any, dtype: Any = "float32") -> list[Any]:
    """Return the first states of a cell for a batch, as a flat list: its own, or zeros."""
    if hasattr(cell, "get_initial_state"):
        return nest.flatten(cell.get_initial_state(batch_size=batch_size))
    return [zeros([batch_size, size], dtype) for size in _sizes(cell)]
