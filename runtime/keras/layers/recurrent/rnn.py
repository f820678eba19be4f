"""``RNN``: a cell run over the steps of sequences."""

from __future__ import annotations

from typing import Any

from runtime.composite.tensor_array import TensorArray
from runtime.control_flow.while_loop import while_loop
from runtime.graph.trace import current_graph
from runtime.keras.layers.base.input_spec import InputSpec
from runtime.keras.layers.base.layer import Layer
from runtime.keras.layers.recurrent.cells import StackedRNNCells, initial_state, like_sizes
from runtime.ops.array.concat_split import stack
from runtime.ops.array.constants import cast, constant
from runtime.ops.array.creation import zeros_like
from runtime.ops.array.shape import expand_dims, reverse, transpose
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.array.where import where
from runtime.state.variable import Variable
from runtime.types import nest

__all__ = ["RNN"]


class RNN(Layer):
    """Layer that runs a cell, or several in a list, over sequences (batch, steps, size).

    The output is that of the last step, or with ``return_sequences`` those of all steps; with
    ``return_state`` the last states follow in a list.  Steps that a mask excludes keep the states,
    and repeat the output before; with ``zero_output_for_mask`` their output is zero.

    Args:
        cell: layer with ``state_size`` whose call takes inputs and a list of states, and returns
            the output and the new states; or a list of such.
        return_sequences: whether the outputs of all steps are returned.
        return_state: whether the last states are returned.
        go_backwards: whether the steps are taken from the last to the first.
        stateful: whether a batch starts with the states that the last one ended with.
        unroll: whether a graph has the steps one after the other, in place of a loop.
        zero_output_for_mask: whether excluded steps give zeros.
        kwargs: arguments of ``Layer``.

    Raises:
        ValueError: for a cell without ``call`` and ``state_size``.
    """

    def __init__(
        self, cell: Any, return_sequences: bool = False, return_state: bool = False,
        go_backwards: bool = False, stateful: bool = False, unroll: bool = False,
        zero_output_for_mask: bool = False, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        cell = StackedRNNCells(cell) if isinstance(cell, list | tuple) else cell
        for name in ("call", "state_size"):
            if not hasattr(cell, name):
                raise ValueError(f"the cell of an RNN needs `{name}`, which {cell!r} has not")
        self.cell = cell
        self.return_sequences = return_sequences
        self.return_state = return_state
        self.go_backwards = go_backwards
        self.stateful = stateful
        self.unroll = unroll
        self.zero_output_for_mask = zero_output_for_mask
        self.supports_masking = True
        self.input_spec = InputSpec(ndim=3)
        self.states: list[Variable] | None = None

    def build(self, sequences_shape: Any, initial_state_shape: Any = None) -> None:
        """Make the weights of the cell, and the states where they are kept."""
        batch, _, *sizes = sequences_shape
        if isinstance(self.cell, Layer) and not self.cell.built:
            self.cell.build((batch, *sizes))
            self.cell.built = True
        if self.stateful and self.states is None:
            if batch is None:
                raise ValueError(
                    f"layer {self.name!r} keeps its states, so that it needs to know the size of "
                    "the batch: give batch_shape to Input"
                )
            self.states = [
                self.add_weight(state.shape, "zeros", state.dtype, trainable=False, name="state")
                for state in initial_state(self.cell, batch, self.dtype)
            ]
            self._keras.kept = self.states

    def get_initial_state(self, batch_size: Any) -> list[Any]:
        """Return the first states for a batch, in a list: for a stacked cell one or a list each."""
        states = initial_state(self.cell, batch_size, self.compute_dtype)
        sizes = self.cell.state_size
        return like_sizes(sizes, states) if isinstance(sizes, list | tuple) else states

    @property
    def state_size(self) -> Any:
        """Sizes of the states of the cell."""
        return self.cell.state_size

    def call(
        self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = False
    ) -> Any:
        """Run the cell over the steps."""
        if initial_state is None:
            initial_state = (
                [state.read_value() for state in self.states] if self.states is not None
                else self.get_initial_state(_size(sequences, 0))
            )  # fmt: skip
        states = nest.flatten(initial_state)
        self._check_batch(sequences.shape[0])
        if hasattr(self.cell, "reset_dropout_masks"):
            self.cell.reset_dropout_masks()
        if isinstance(mask, list | tuple):
            mask = mask[0]
        by_step = transpose(sequences, [1, 0, *range(2, sequences.shape.rank)])
        mask = None if mask is None else transpose(mask, [1, 0])
        if self.go_backwards:
            by_step = reverse(by_step, [0])
            mask = None if mask is None else reverse(mask, [0])
        if current_graph() is None or self.unroll:
            output, outputs, states = self._unrolled(by_step, states, mask)
        else:
            output, outputs, states = self._looped(by_step, states, mask)
        if self.states is not None:
            for variable, state in zip(self.states, states, strict=True):
                variable.assign(state)
        if hasattr(self.cell, "reset_dropout_masks"):
            self.cell.reset_dropout_masks()
        result = outputs if self.return_sequences else output
        if not self.return_state:
            return result
        sizes = self.cell.state_size
        packed = like_sizes(sizes, states)
        return [result, *packed] if isinstance(sizes, list | tuple) else [result, packed]

    def _check_batch(self, size: int | None) -> None:
        """Raise ValueError for a batch of another size than that of the states that are kept."""
        state_size = self.states[0].shape[0] if self.states else size
        if None not in (size, state_size) and size != state_size:
            raise ValueError(
                f"layer {self.name!r} keeps its states from batch to batch (stateful=True): the "
                f"batch size of all of them must be {state_size}, that of the first one, but "
                "this one's "
                f"is {size}"
            )

    def _step(
        self, inputs: Any, states: list[Any], mask: Any, before: Any
    ) -> tuple[Any, list[Any]]:
        """Make a step; ``before`` is the output of the step before it."""
        sizes = self.cell.state_size
        several = isinstance(sizes, list | tuple)
        output, new = self.cell(inputs, like_sizes(sizes, states) if several else list(states))
        new = nest.flatten(new)
        if mask is None:
            return output, new
        masked_output = (
            zeros_like(output) if before is None or self.zero_output_for_mask else before
        )
        new = [where(_like(mask, a), a, b) for a, b in zip(new, states, strict=True)]
        return where(_like(mask, output), output, masked_output), new

    def _unrolled(self, by_step: Any, states: list[Any], mask: Any) -> tuple[Any, Any, list[Any]]:
        count = by_step.shape[0]
        if count is None:
            raise ValueError(
                f"layer {self.name!r} unrolls its steps: give their number to Input"
            )
        output, outputs = None, []
        for number in range(count):
            step_mask = None if mask is None else mask[number]
            output, states = self._step(by_step[number], states, step_mask, output)
            outputs.append(output)
        if output is None:
            raise ValueError(f"layer {self.name!r} was called with sequences of no steps")
        together = self._in_batches(stack(outputs)) if self.return_sequences else None
        return output, together, states

    def _looped(self, by_step: Any, states: list[Any], mask: Any) -> tuple[Any, Any, list[Any]]:
        """Make the steps in a loop; the first one tells what the output is like."""
        count = _size(by_step, 0)
        output, states = self._step(by_step[0], states, None if mask is None else mask[0], None)
        keeps = self.return_sequences
        outputs = TensorArray(output.dtype, size=count if keeps else 1, element_shape=output.shape)
        if keeps:
            outputs = outputs.write(0, output)

        def body(number: Any, output: Any, outputs: Any, *states: Any) -> Any:
            step_mask = None if mask is None else mask[number]
            output, new = self._step(by_step[number], list(states), step_mask, output)
            outputs = outputs.write(number, output) if keeps else outputs
            return (number + 1, output, outputs, *new)

        _, output, outputs, *states = while_loop(
            lambda number, *_: number < count, body, (constant(1), output, outputs, *states)
        )
        return output, self._in_batches(outputs.stack()) if keeps else None, states

    def _in_batches(self, by_step: Any) -> Any:
        return transpose(by_step, [1, 0, *range(2, by_step.shape.rank)])

    def compute_mask(self, inputs: Any, previous_mask: Any) -> Any:
        """Return the mask of the steps, if all are returned."""
        mask = previous_mask[0] if isinstance(previous_mask, list | tuple) else previous_mask
        output_mask = mask if self.return_sequences else None
        if not self.return_state:
            return output_mask
        sizes = self.cell.state_size
        return [output_mask] + [None] * (len(sizes) if isinstance(sizes, list | tuple) else 1)

    def reset_state(self) -> None:
        """Set the states that are kept to zero."""
        for state in self.states or ():
            state.assign(zeros_like(state))

    reset_states = reset_state

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        from runtime.keras.serialization import serialize_keras_object

        return {
            **super().get_config(), **self._flags(), "cell": serialize_keras_object(self.cell)
        }

    def _flags(self) -> dict[str, Any]:
        return {
            "return_sequences": self.return_sequences, "return_state": self.return_state,
            "go_backwards": self.go_backwards, "stateful": self.stateful, "unroll": self.unroll,
            "zero_output_for_mask": self.zero_output_for_mask,
        }  # fmt: skip

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """Make a layer from its configuration."""
        from runtime.keras.serialization import deserialize_keras_object

        if isinstance(config.get("cell"), dict):
            cell = deserialize_keras_object(config["cell"], custom_objects)
            config = {**config, "cell": cell}
        return cls(**config)


def _size(tensor: Any, axis: int) -> Any:
    """Return a size: an int if it is known, else a tensor."""
    static_size = tensor.shape[axis]
    return shape_of(tensor)[axis] if static_size is None else static_size


def _like(mask: Any, value: Any) -> Any:
    """Return a mask of the batch with as many axes as a value."""
    wide_mask = cast(mask, "bool")
    for _ in range(value.shape.rank - 1):
        wide_mask = expand_dims(wide_mask, -1)
    return wide_mask
