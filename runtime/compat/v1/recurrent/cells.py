"""``nn.rnn_cell``: cells of recurrent networks, whose weights are variables of variable scopes.

``cell(inputs, state)`` gives the output and the next state: of a matrix ``[batch, depth]`` and a
state as ``zero_state`` makes it.  The formulas are those of TensorFlow 1.15.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from runtime.compat.v1.layers.scoped import Layer
from runtime.compat.v1.variable_scope import variable_scope
from runtime.keras.initializers import Constant
from runtime.ops.array.concat_split import concat, split
from runtime.ops.array.creation import zeros
from runtime.ops.linalg.products import matmul
from runtime.ops.math.clipping import clip_by_value
from runtime.ops.math.elementary import sigmoid, tanh
from runtime.types import nest
from runtime.types.shapes import TensorShape

__all__ = [
    "BasicLSTMCell", "BasicRNNCell", "GRUCell", "LSTMCell", "LSTMStateTuple", "MultiRNNCell",
    "RNNCell",
]  # fmt: skip

LSTMStateTuple = namedtuple("LSTMStateTuple", ("c", "h"))
"""State of a long short-term memory: the memory and the last output."""


def _sizes(sizes: Any) -> tuple[Any, ...]:
    return (sizes,) if isinstance(sizes, int) else tuple(TensorShape(sizes).as_list())


class RNNCell(Layer):
    """Base of cells; subclasses define ``state_size``, ``output_size`` and ``call``.

    Args:
        trainable: whether weights are trained.
        name: name of the variable scope.
        dtype: dtype of the weights; by default that of the first inputs.
    """

    def __init__(
        self, trainable: bool = True, name: str | None = None, dtype: Any = None,
        reuse: bool | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(trainable=trainable, name=name, dtype=dtype, _reuse=reuse, **kwargs)

    def __call__(  # type: ignore[override]
        self, inputs: Any, state: Any, scope: Any = None, **kwargs: Any
    ) -> Any:
        """Return the output and the next state."""
        return super().__call__(inputs, state, scope=scope, **kwargs)

    @property
    def state_size(self) -> Any:
        """Sizes of the state: an int, a shape, or a nest of these."""
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self) -> Any:
        """Size of the output."""
        raise NotImplementedError("Abstract method")

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Return a state of zeros.

        Args:
            batch_size: number of rows, an int or a scalar tensor.
            dtype: dtype of the numbers.
        Returns:
            Nest of tensors of the shapes ``[batch_size, *sizes]``.
        """
        return _each_size(self.state_size, lambda sizes: zeros([batch_size, *sizes], dtype))

    get_initial_state = zero_state


def _each_size(structure: Any, make: Any) -> Any:
    if isinstance(structure, int | TensorShape):
        return make(_sizes(structure))
    if isinstance(structure, tuple) and hasattr(structure, "_fields"):
        return type(structure)(*[_each_size(item, make) for item in structure])
    if isinstance(structure, list | tuple):
        return type(structure)([_each_size(item, make) for item in structure])
    return {key: _each_size(item, make) for key, item in structure.items()}


def _depth(inputs_shape: Any, cell: Any) -> int:
    depth = TensorShape(inputs_shape)[-1]
    if depth is None:
        raise ValueError(
            f"Expected inputs.shape[-1] to be known, saw shape: {inputs_shape} in {cell.name}"
        )
    return int(depth)


def _checked(cell: Any, inputs: Any) -> Any:
    if inputs.shape.rank != 2:
        raise ValueError(
            f"Input {inputs!r} of {cell.name} must be a matrix [batch, depth], got the shape "
            f"{inputs.shape}"
        )
    return inputs


class BasicRNNCell(RNNCell):
    """The simplest cell: ``output = state = activation([inputs, state] @ kernel + bias)``.

    Args:
        num_units: number of units.
        activation: function; tanh by default.
        reuse: whether weights that are there are taken.
        name: name of the variable scope.
        dtype: dtype of the weights.
    """

    def __init__(
        self, num_units: int, activation: Any = None, reuse: bool | None = None,
        name: str | None = None, dtype: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(name=name, dtype=dtype, reuse=reuse, **kwargs)
        self._num_units, self._activation = num_units, activation or tanh

    @property
    def state_size(self) -> int:
        """Number of units."""
        return self._num_units

    @property
    def output_size(self) -> int:
        """Number of units."""
        return self._num_units

    def build(self, inputs_shape: Any) -> None:
        """Make the weights ``kernel`` and ``bias``."""
        units = self._num_units
        depth = _depth(inputs_shape, self) + units
        self._kernel = self.add_weight(name="kernel", shape=[depth, units])
        self._bias = self.add_weight(name="bias", shape=[units], initializer=Constant(0.0))
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """Return the output, which is the next state."""
        joined = concat([_checked(self, inputs), state], 1)
        output = self._activation(matmul(joined, self._kernel) + self._bias)
        return output, output


class GRUCell(RNNCell):
    """Gated recurrent unit (Cho et al. 2014, arXiv:1406.1078).

    Args:
        num_units: number of units.
        activation: function of the candidate; tanh by default.
        reuse: whether weights that are there are taken.
        kernel_initializer: initializer of the kernels.
        bias_initializer: initializer of the biases; by default 1 of the gates, else 0.
        name: name of the variable scope.
        dtype: dtype of the weights.
    """

    def __init__(
        self, num_units: int, activation: Any = None, reuse: bool | None = None,
        kernel_initializer: Any = None, bias_initializer: Any = None, name: str | None = None,
        dtype: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(name=name, dtype=dtype, reuse=reuse, **kwargs)
        self._num_units, self._activation = num_units, activation or tanh
        self._kernel_initializer, self._bias_initializer = kernel_initializer, bias_initializer

    @property
    def state_size(self) -> int:
        """Number of units."""
        return self._num_units

    @property
    def output_size(self) -> int:
        """Number of units."""
        return self._num_units

    def build(self, inputs_shape: Any) -> None:
        """Make the weights of ``gates`` and ``candidate``."""
        units, depth = self._num_units, _depth(inputs_shape, self)
        own, self._weights_of = self._bias_initializer, {}
        for scope, width, first in (("gates", 2 * units, 1.0), ("candidate", units, 0.0)):
            kernel = self.add_weight(
                name=f"{scope}/kernel", shape=[depth + units, width],
                initializer=self._kernel_initializer,
            )  # fmt: skip
            bias = self.add_weight(
                name=f"{scope}/bias", shape=[width], initializer=own or Constant(first)
            )
            self._weights_of[scope] = (kernel, bias)
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """Return the output, which is the next state."""
        kernel, bias = self._weights_of["gates"]
        gates = sigmoid(matmul(concat([_checked(self, inputs), state], 1), kernel) + bias)
        reset, update = split(gates, 2, 1)
        kernel, bias = self._weights_of["candidate"]
        candidate = matmul(concat([inputs, reset * state], 1), kernel) + bias
        output = update * state + (1 - update) * self._activation(candidate)
        return output, output


class LSTMCell(RNNCell):
    """Long short-term memory (Hochreiter and Schmidhuber 1997), with peepholes and projection.

    Args:
        num_units: number of units.
        use_peepholes: whether the gates see the memory (Sak et al. 2014, arXiv:1402.1128).
        cell_clip: bound of the memory's numbers; None for none.
        initializer: initializer of the kernels.
        num_proj: size of the projected output; None for no projection.
        proj_clip: bound of the projected output.
        num_unit_shards: without effect.
        num_proj_shards: without effect.
        forget_bias: number that is added to the forget gate.
        state_is_tuple: whether states are LSTMStateTuples; else memory and output side by side.
        activation: function; tanh by default.
        reuse: whether weights that are there are taken.
        name: name of the variable scope.
        dtype: dtype of the weights.
    """

    def __init__(
        self, num_units: int, use_peepholes: bool = False, cell_clip: float | None = None,
        initializer: Any = None, num_proj: int | None = None, proj_clip: float | None = None,
        num_unit_shards: Any = None, num_proj_shards: Any = None, forget_bias: float = 1.0,
        state_is_tuple: bool = True, activation: Any = None, reuse: bool | None = None,
        name: str | None = None, dtype: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(name=name, dtype=dtype, reuse=reuse, **kwargs)
        self._num_units, self._activation = num_units, activation or tanh
        self._use_peepholes, self._cell_clip, self._initializer = (
            use_peepholes, cell_clip, initializer
        )  # fmt: skip
        self._num_proj, self._proj_clip, self._forget_bias = num_proj, proj_clip, forget_bias
        self._state_is_tuple = state_is_tuple

    @property
    def state_size(self) -> Any:
        """Sizes of memory and output, or their sum."""
        sizes = LSTMStateTuple(self._num_units, self.output_size)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self) -> int:
        """Number of units, or size of the projection."""
        return self._num_proj or self._num_units

    def build(self, inputs_shape: Any) -> None:
        """Make the weights ``kernel``, ``bias`` and those of peepholes and projection."""
        units, start = self._num_units, self._initializer
        depth = _depth(inputs_shape, self) + self.output_size
        self._kernel = self.add_weight(name="kernel", shape=[depth, 4 * units], initializer=start)
        self._bias = self.add_weight(name="bias", shape=[4 * units], initializer=Constant(0.0))
        if self._use_peepholes:
            self._peepholes = [
                self.add_weight(name=f"w_{gate}_diag", shape=[units], initializer=start)
                for gate in "fio"
            ]
        if self._num_proj is not None:
            self._projection = self.add_weight(
                name="projection/kernel", shape=[units, self._num_proj], initializer=start
            )
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """Return the output and the next state."""
        parts = state if self._state_is_tuple else split(
            state, [self._num_units, self.output_size], 1
        )  # fmt: skip
        memory, last = parts
        joined = concat([_checked(self, inputs), last], 1)
        enter, new, forget, leave = split(matmul(joined, self._kernel) + self._bias, 4, 1)
        forget = forget + self._forget_bias
        if self._use_peepholes:
            for_forget, for_enter, for_leave = self._peepholes
            forget, enter = forget + for_forget * memory, enter + for_enter * memory
        memory = sigmoid(forget) * memory + sigmoid(enter) * self._activation(new)
        if self._cell_clip is not None:
            memory = clip_by_value(memory, -self._cell_clip, self._cell_clip)
        if self._use_peepholes:
            leave = leave + for_leave * memory
        output = sigmoid(leave) * self._activation(memory)
        if self._num_proj is not None:
            output = matmul(output, self._projection)
            if self._proj_clip is not None:
                output = clip_by_value(output, -self._proj_clip, self._proj_clip)
        following = (
            LSTMStateTuple(memory, output) if self._state_is_tuple else concat([memory, output], 1)
        )
        return output, following


class BasicLSTMCell(LSTMCell):
    """Long short-term memory without peepholes, clipping and projection.

    Args:
        num_units: number of units.
        forget_bias: number that is added to the forget gate.
        state_is_tuple: whether states are LSTMStateTuples.
        activation: function; tanh by default.
        reuse: whether weights that are there are taken.
        name: name of the variable scope.
        dtype: dtype of the weights.
    """

    def __init__(
        self, num_units: int, forget_bias: float = 1.0, state_is_tuple: bool = True,
        activation: Any = None, reuse: bool | None = None, name: str | None = None,
        dtype: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(
            num_units, forget_bias=forget_bias, state_is_tuple=state_is_tuple,
            activation=activation, reuse=reuse, name=name, dtype=dtype, **kwargs,
        )  # fmt: skip


class MultiRNNCell(RNNCell):
    """Cell of several cells: the output of each is the input of the next.

    Args:
        cells: cells, the lowest first.
        state_is_tuple: whether the state is a tuple of the states; else they stand side by side.
    """

    def __init__(self, cells: Any, state_is_tuple: bool = True) -> None:
        super().__init__()
        if not cells:
            raise ValueError("Must specify at least one cell for MultiRNNCell.")
        if not nest.is_nested(cells):
            raise TypeError(f"cells must be a list or tuple, but saw: {cells}.")
        if len({id(cell) for cell in cells}) < len(cells):
            raise ValueError(
                "MultiRNNCell: one cell stands twice in cells, whose weights would be shared: make "
                "a cell for each"
            )
        self._cells, self._state_is_tuple = list(cells), state_is_tuple
        if not state_is_tuple and any(nest.is_nested(cell.state_size) for cell in cells):
            raise ValueError("Some cells return tuples of states, but the flag state_is_tuple is "
                             "not set.")  # fmt: skip

    @property
    def state_size(self) -> Any:
        """Sizes of the states."""
        sizes = tuple([cell.state_size for cell in self._cells])
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self) -> Any:
        """Size of the last cell's output."""
        return self._cells[-1].output_size

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Return states of zeros."""
        if not self._state_is_tuple:
            return super().zero_state(batch_size, dtype)
        return tuple([cell.zero_state(batch_size, dtype) for cell in self._cells])

    def call(self, inputs: Any, state: Any) -> Any:
        """Return the last output and all next states."""
        states = state if self._state_is_tuple else split(
            state, [cell.state_size for cell in self._cells], 1
        )  # fmt: skip
        following = []
        for number, (cell, cell_state) in enumerate(zip(self._cells, states, strict=True)):
            with variable_scope(f"cell_{number}"):
                inputs, after = cell(inputs, cell_state)
            following.append(after)
        result = tuple(following) if self._state_is_tuple else concat(following, 1)
        return inputs, result

