"""Cells around cells: dropout, residual connections, devices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.compat.v1.recurrent.cells import LSTMStateTuple, RNNCell
from runtime.devices.scope import device as device_scope
from runtime.ops.nn.activations_losses import dropout
from runtime.ops.rules.static_arguments import known_value
from runtime.types import nest

__all__ = ["DeviceWrapper", "DropoutWrapper", "ResidualWrapper"]


class _Wrapper(RNNCell):
    """Base of cells that are made of one other cell, whose weights they have."""

    def __init__(self, cell: Any) -> None:
        super().__init__()
        if not callable(cell) or not hasattr(cell, "state_size"):
            raise TypeError(f"cell: {cell} is not an RNNCell.")
        self.cell = cell

    @property
    def state_size(self) -> Any:
        """State size of the cell."""
        return self.cell.state_size

    @property
    def output_size(self) -> Any:
        """Output size of the cell."""
        return self.cell.output_size

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Return the cell's state of zeros."""
        return self.cell.zero_state(batch_size, dtype)

    def __call__(  # type: ignore[override]
        self, inputs: Any, state: Any, scope: Any = None, **kwargs: Any
    ) -> Any:
        """Return the output and the next state; it opens no variable scope of its own."""
        return self.call(inputs, state, scope=scope)


class DropoutWrapper(_Wrapper):
    """Cell with dropout of its inputs, outputs and states.

    Args:
        cell: RNNCell.
        input_keep_prob: probability that an input is kept; a tensor or number.
        output_keep_prob: that of an output.
        state_keep_prob: that of a number of the next state; the memory ``c`` of an LSTM stays.
        variational_recurrent: not supported.
        input_size: without effect.
        dtype: without effect.
        seed: seed of the random numbers.
        dropout_state_filter_visitor: function that says of a state whether its numbers are
            dropped: of each item of the nest True, False, or a nest of these.
    """

    def __init__(
        self, cell: Any, input_keep_prob: Any = 1.0, output_keep_prob: Any = 1.0,
        state_keep_prob: Any = 1.0, variational_recurrent: bool = False, input_size: Any = None,
        dtype: Any = None, seed: int | None = None,
        dropout_state_filter_visitor: Callable[[Any], Any] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(cell)
        if variational_recurrent:
            raise ValueError(
                "DropoutWrapper: variational_recurrent=True, one mask for all steps, is not here: "
                "multiply the inputs by a mask that is made before the loop"
            )
        self._keep = {"input": input_keep_prob, "output": output_keep_prob,
                      "state": state_keep_prob}  # fmt: skip
        for name, share in self._keep.items():
            number = share if isinstance(share, int | float) else known_value(share)
            if number is not None and not 0.0 < number <= 1.0:
                raise ValueError(
                    f"Parameter {name}_keep_prob must be between 0 and 1, got {number}"
                )
        self._seed, self._visitor = seed, dropout_state_filter_visitor or _is_dropped

    def _dropped(self, name: str, values: Any) -> Any:
        keep = self._keep[name]
        if isinstance(keep, int | float) and keep >= 1.0:
            return values
        return nest.map_structure(lambda v: dropout(v, 1.0 - keep, seed=self._seed), values)

    def call(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """Return the output and the next state."""
        output, following = self.cell(self._dropped("input", inputs), state, scope=scope)
        chosen = self._drop_state(self._visitor(following), following)
        return self._dropped("output", output), chosen

    def _drop_state(self, choice: Any, state: Any) -> Any:
        if isinstance(choice, bool):
            return self._dropped("state", state) if choice else state
        if isinstance(state, LSTMStateTuple):
            return LSTMStateTuple(*[self._drop_state(c, s) for c, s in zip(choice, state)])
        return type(state)([self._drop_state(c, s) for c, s in zip(choice, state, strict=True)])


def _is_dropped(state: Any) -> Any:
    """Say of the parts of a state whether dropout changes them: of an LSTM only the output."""
    if isinstance(state, LSTMStateTuple):
        return LSTMStateTuple(False, True)
    if isinstance(state, tuple | list):
        return type(state)([_is_dropped(item) for item in state])
    return True


class ResidualWrapper(_Wrapper):
    """Cell whose inputs are added to its outputs.

    Args:
        cell: RNNCell.
        residual_fn: function of inputs and outputs in place of the sum.
    """

    def __init__(self, cell: Any, residual_fn: Callable[[Any, Any], Any] | None = None) -> None:
        super().__init__(cell)
        self._residual = residual_fn

    def call(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """Return the output and the next state; ValueError for outputs of another shape."""
        outputs, following = self.cell(inputs, state, scope=scope)
        if self._residual is not None:
            return self._residual(inputs, outputs), following

        def added(before: Any, after: Any) -> Any:
            if not before.shape.is_compatible_with(after.shape):
                raise ValueError(
                    f"ResidualWrapper: inputs of shape {before.shape} and outputs of shape "
                    f"{after.shape} have no sum; give residual_fn"
                )
            return before + after

        return nest.map_structure(added, inputs, outputs), following


class DeviceWrapper(_Wrapper):
    """Cell that is computed on a device.

    Args:
        cell: RNNCell.
        device: name of the device.
    """

    def __init__(self, cell: Any, device: Any) -> None:
        super().__init__(cell)
        self._device = device

    def call(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """Return the output and the next state."""
        with device_scope(self._device):
            return self.cell(inputs, state, scope=scope)
