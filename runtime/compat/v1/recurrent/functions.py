"""``dynamic_rnn``, ``static_rnn`` and their like: cells along the time of sequences."""

from __future__ import annotations

from typing import Any

from runtime.compat.v1.variable_scope import variable_scope
from runtime.composite.tensor_array import TensorArray
from runtime.control_flow.while_loop import while_loop
from runtime.ops.array.concat_split import concat
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import zeros
from runtime.ops.array.partitions import reverse_sequence
from runtime.ops.array.shape import ensure_shape, reshape, reverse, shape, transpose
from runtime.ops.array.where import where
from runtime.types import nest
from runtime.types.dtypes import int32
from runtime.types.shapes import TensorShape

__all__ = [
    "bidirectional_dynamic_rnn", "dynamic_rnn", "static_bidirectional_rnn", "static_rnn",
]  # fmt: skip


def dynamic_rnn(
    cell: Any, inputs: Any, sequence_length: Any = None, initial_state: Any = None,
    dtype: Any = None, parallel_iterations: int | None = None, swap_memory: bool = False,
    time_major: bool = False, scope: Any = None,
) -> Any:  # fmt: skip
    """Run a cell along sequences, as many steps as the tensor has when the graph runs.

    Args:
        cell: RNNCell.
        inputs: tensor ``[batch, time, ...]``, or a nest of these.
        sequence_length: vector of the lengths; behind a sequence's end outputs are 0 and the state
            stays.
        initial_state: state to begin with.
        dtype: dtype of the first state, zeros, where none is given.
        parallel_iterations: without effect.
        swap_memory: without effect.
        time_major: whether tensors are ``[time, batch, ...]``.
        scope: variable scope, or its name; ``rnn`` by default.
    Returns:
        Outputs ``[batch, time, ...]`` and the last state.
    Raises:
        ValueError: neither a state nor a dtype is given, or inputs have fewer than two axes.
    """
    with variable_scope(scope or "rnn"):
        turned = nest.map_structure(lambda x: _time_first(x, time_major), inputs)
        flat = nest.flatten(turned)
        if any(x.shape.rank is not None and x.shape.rank < 2 for x in flat):
            raise ValueError(
                "dynamic_rnn: inputs need the axes of batch and time, got the shape "
                f"{flat[0].shape}"
            )
        count, batch = shape(flat[0])[0], _batch_size(flat)
        lengths = _lengths(sequence_length)
        state = _first_state(cell, initial_state, batch, dtype, "dynamic_rnn")
        outputs, last = _loop(cell, turned, state, lengths, count, batch)
        restored = nest.map_structure(lambda x: x if time_major else _swapped(x), outputs)
        return restored, last


def _time_first(value: Any, time_major: bool) -> Any:
    tensor = convert_to_tensor(value)
    return tensor if time_major or tensor.shape.rank == 1 else _swapped(tensor)


def _swapped(tensor: Any) -> Any:
    """Exchange batch and time."""
    return transpose(tensor, [1, 0, *range(2, tensor.shape.rank)])


def _batch_size(flat: Any) -> Any:
    static = flat[0].shape[1]
    return shape(flat[0])[1] if static is None else static


def _lengths(sequence_length: Any) -> Any:
    if sequence_length is None:
        return None
    lengths = cast(convert_to_tensor(sequence_length), int32)
    if lengths.shape.rank not in (None, 1):
        raise ValueError(
            f"sequence_length must be a vector of length batch_size, got the shape {lengths.shape}"
        )
    return lengths


def _first_state(cell: Any, given: Any, batch: Any, dtype: Any, function: str) -> Any:
    if given is not None:
        return given
    if dtype is None:
        raise ValueError(f"{function}: if there is no initial_state, you must give a dtype.")
    return cell.zero_state(batch, dtype)


def _loop(cell: Any, turned: Any, state: Any, lengths: Any, count: Any, batch: Any) -> Any:
    """Run a cell over time; the first step, outside of the loop, makes the variables."""
    first = nest.map_structure(lambda x: x[0] if x.shape[0] != 0 else zeros(
        [batch, *x.shape.as_list()[2:]], x.dtype), turned)  # fmt: skip
    like, _ = cell(first, state)
    states = nest.map_structure(convert_to_tensor, state)
    arrays = tuple([
        TensorArray(output.dtype, count, element_shape=TensorShape(None).concatenate(output.shape)
                    if output.shape.rank is None else output.shape)
        for output in nest.flatten(like)
    ])  # fmt: skip

    def step(time: Any, arrays: Any, states: Any) -> Any:
        output, following = cell(nest.map_structure(lambda x: x[time], turned), states)
        if lengths is not None:
            output, following = _stopped(time < lengths, output, following, states)
        flat = nest.flatten(output)
        written = tuple([a.write(time, x) for a, x in zip(arrays, flat, strict=True)])
        return time + 1, written, following

    _, arrays, last = while_loop(
        lambda time, *_: time < count, step, (convert_to_tensor(0, int32), arrays, states)
    )
    stacked = [_with_sizes(a.stack(), turned, x) for a, x in zip(arrays, nest.flatten(like))]
    return nest.pack_sequence_as(like, stacked), last


def _with_sizes(stacked: Any, turned: Any, output: Any) -> Any:
    """State the static shape of the outputs: time, batch and depth."""
    time = nest.flatten(turned)[0].shape[0]
    return ensure_shape(stacked, [time, *output.shape.as_list()])


def _stopped(goes_on: Any, output: Any, following: Any, state: Any) -> tuple[Any, Any]:
    """Return the output, 0 behind a sequence's end, and the next state, the same as before there.
    """
    def kept(after: Any, before: Any) -> Any:
        return _chosen(goes_on, after, before)

    zeroed = nest.map_structure(lambda x: _chosen(goes_on, x, x * 0), output)
    return zeroed, nest.map_structure(kept, following, state)


def _chosen(goes_on: Any, new: Any, old: Any) -> Any:
    """Return the new rows of sequences that go on, the old ones of others."""
    rank = new.shape.rank or 1
    test = reshape(goes_on, [-1, *[1] * (rank - 1)])
    return where(test, new, old)


def bidirectional_dynamic_rnn(
    cell_fw: Any, cell_bw: Any, inputs: Any, sequence_length: Any = None,
    initial_state_fw: Any = None, initial_state_bw: Any = None, dtype: Any = None,
    parallel_iterations: int | None = None, swap_memory: bool = False, time_major: bool = False,
    scope: Any = None,
) -> Any:  # fmt: skip
    """Run a cell along sequences, and another one from their ends.

    Args:
        cell_fw: RNNCell for the way forward.
        cell_bw: RNNCell for the way back.
        inputs: tensor ``[batch, time, ...]``.
        sequence_length: vector of the lengths; each sequence is turned at its own end.
        initial_state_fw: state to begin with.
        initial_state_bw: state of the second cell to begin with.
        dtype: dtype of the first states, zeros, where none is given.
        parallel_iterations: without effect.
        swap_memory: without effect.
        time_major: whether tensors are ``[time, batch, ...]``.
        scope: variable scope; ``bidirectional_rnn`` by default.
    Returns:
        Pair of outputs, and pair of last states.
    """
    time_axis, batch_axis = (0, 1) if time_major else (1, 0)

    def turned(value: Any) -> Any:
        if sequence_length is None:
            return reverse(value, [time_axis])
        return reverse_sequence(value, sequence_length, seq_axis=time_axis, batch_axis=batch_axis)

    common = {"sequence_length": sequence_length, "dtype": dtype, "time_major": time_major}
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as forward:
            output_fw, state_fw = dynamic_rnn(
                cell_fw, inputs, initial_state=initial_state_fw, scope=forward, **common
            )
        with variable_scope("bw") as back:
            backwards = nest.map_structure(lambda x: turned(convert_to_tensor(x)), inputs)
            output_bw, state_bw = dynamic_rnn(
                cell_bw, backwards, initial_state=initial_state_bw, scope=back, **common
            )
    return (output_fw, nest.map_structure(turned, output_bw)), (state_fw, state_bw)


def static_rnn(
    cell: Any, inputs: Any, initial_state: Any = None, dtype: Any = None,
    sequence_length: Any = None, scope: Any = None,
) -> Any:  # fmt: skip
    """Run a cell along a list of tensors, a step each.

    Args:
        cell: RNNCell.
        inputs: list of tensors ``[batch, depth]``.
        initial_state: state to begin with.
        dtype: dtype of the first state, zeros, where none is given.
        sequence_length: vector of the lengths; behind an end outputs are 0 and the state stays.
        scope: variable scope; ``rnn`` by default.
    Returns:
        List of outputs, and the last state.
    Raises:
        TypeError: ``inputs`` is no list.
        ValueError: it is empty, or neither a state nor a dtype is given.
    """
    if not isinstance(inputs, list | tuple):
        raise TypeError("Inputs must be a sequence")
    if not inputs:
        raise ValueError("Inputs must not be empty")
    with variable_scope(scope or "rnn"):
        steps = [nest.map_structure(convert_to_tensor, step) for step in inputs]
        first = nest.flatten(steps[0])[0]
        static = first.shape[0]
        batch = shape(first)[0] if static is None else static
        state = _first_state(cell, initial_state, batch, dtype, "static_rnn")
        lengths = _lengths(sequence_length)
        outputs = []
        for time, step in enumerate(steps):
            output, following = cell(step, state)
            if lengths is not None:
                output, following = _stopped(time < lengths, output, following, state)
            state = following
            outputs.append(output)
        return outputs, state


def static_bidirectional_rnn(
    cell_fw: Any, cell_bw: Any, inputs: Any, initial_state_fw: Any = None,
    initial_state_bw: Any = None, dtype: Any = None, sequence_length: Any = None,
    scope: Any = None,
) -> Any:  # fmt: skip
    """Run a cell along a list of tensors, and another one from its end.

    Args:
        cell_fw: RNNCell for the way forward.
        cell_bw: RNNCell for the way back.
        inputs: list of tensors ``[batch, depth]``.
        initial_state_fw: state to begin with.
        initial_state_bw: state of the second cell to begin with.
        dtype: dtype of the first states.
        sequence_length: not supported.
        scope: variable scope; ``bidirectional_rnn`` by default.
    Returns:
        List of the outputs of both side by side, and the last state of each.
    """
    if sequence_length is not None:
        raise ValueError("static_bidirectional_rnn: sequence_length is not here; "
                         "bidirectional_dynamic_rnn takes it")  # fmt: skip
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as forward:
            ahead, state_fw = static_rnn(cell_fw, inputs, initial_state_fw, dtype, scope=forward)
        with variable_scope("bw") as back:
            behind, state_bw = static_rnn(
                cell_bw, list(reversed(inputs)), initial_state_bw, dtype, scope=back
            )
    pairs = zip(ahead, reversed(behind), strict=True)
    return [concat([first, second], 1) for first, second in pairs], state_fw, state_bw
