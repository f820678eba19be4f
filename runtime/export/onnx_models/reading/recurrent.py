"""Rules of recurrent layers: RNN, GRU and LSTM, written out over the steps of time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.export.onnx_models.interpreter import NeedsValueError, reader
from runtime.export.onnx_models.onnx_graph import OnnxNode
from runtime.export.onnx_models.ops import ops
from runtime.export.onnx_models.reading.arithmetic import number
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.indexing import getitem
from runtime.types.dtypes import int64
from runtime.types.errors import UnimplementedError

Step = Callable[[Any, Sequence[Any]], Sequence[Any]]

_ACTIVATIONS: dict[str, Callable[..., Any]] = {
    "sigmoid": lambda x, a, b: ops.sigmoid(x),
    "tanh": lambda x, a, b: ops.tanh(x),
    "relu": lambda x, a, b: ops.relu(x),
    "affine": lambda x, a, b: x * number(a, x) + number(b, x),
    "leakyrelu": lambda x, a, b: ops.leaky_relu(x, alpha=a),
    "softsign": lambda x, a, b: ops.softsign(x),
    "softplus": lambda x, a, b: ops.softplus(x),
    "hardsigmoid": lambda x, a, b: ops.minimum(
        ops.maximum(x * number(a, x) + number(b, x), number(0, x)), number(1, x)
    ),
}


def _activations(node: OnnxNode, direction: int, defaults: list[str]) -> list[Any]:
    """Return the activations of a direction, by their names and numbers."""
    names = [n.decode() if isinstance(n, bytes) else n for n in node.attr("activations") or []]
    names = names or defaults * 2
    own = names[direction * len(defaults) : (direction + 1) * len(defaults)]
    alphas, betas = node.attr("activation_alpha") or [], node.attr("activation_beta") or []
    functions = []
    for k, name in enumerate(own):
        if name.lower() not in _ACTIVATIONS:
            raise UnimplementedError(f"the activation {name} is not known here")
        place = direction * len(defaults) + k
        alpha = alphas[place] if place < len(alphas) else 0.2 if "Hard" in name else 0.01
        beta = betas[place] if place < len(betas) else 0.5 if "Hard" in name else 0.0
        apply = _ACTIVATIONS[name.lower()]
        functions.append(lambda x, apply=apply, a=alpha, b=beta: apply(x, a, b))
    return functions


def _layer(node: OnnxNode, x: Any, lengths: Any, initial: Sequence[Any],
           step_of: Callable[[int], Step], width: int) -> Any:  # fmt: skip
    """Run a recurrent layer in its directions; ``initial`` are the states, None for zeros."""
    x = convert_to_tensor(x)
    if node.attr("layout", 0):
        x = ops.transpose(x, np.array([1, 0, 2]))
        initial = [s if s is None else ops.transpose(s, np.array([1, 0, 2])) for s in initial]
    time, batch = x.shape.dims[:2]
    if time is None or batch is None:
        raise NeedsValueError("the number of steps and the batch have to be known before")
    mode = node.attr("direction", "forward")
    reverses = {"forward": [False], "reverse": [True], "bidirectional": [False, True]}[mode]
    size = node.attr("hidden_size")
    rows, finals = [], []
    for number_of, reverse in enumerate(reverses):
        step = step_of(number_of)
        state = [
            np.zeros((batch, size), x.dtype.as_numpy_dtype) if s is None
            else getitem(convert_to_tensor(s), (number_of,)) for s in initial
        ]  # fmt: skip
        outputs: list[Any] = [None] * time
        for k in reversed(range(time)) if reverse else range(time):
            after = list(step(getitem(x, (k,)), state))
            output = after[0]
            if lengths is not None:
                runs = ops.less(np.int64(k), cast(convert_to_tensor(lengths), int64))
                runs = ops.expand_dims(runs, axis=-1)
                after = [ops.where(runs, new, old) for new, old in zip(after, state, strict=True)]
                output = ops.where(runs, output, number(0, output))
            state = after
            outputs[k] = output
        rows.append(ops.stack(*outputs, axis=0))
        finals.append(state)
    whole = ops.stack(*rows, axis=1)
    last = [ops.stack(*[state[k] for state in finals], axis=0) for k in range(width)]
    if node.attr("layout", 0):
        whole = ops.transpose(whole, np.array([2, 0, 1, 3]))
        last = [ops.transpose(value, np.array([1, 0, 2])) for value in last]
    return (whole, *last)


def _gates(x: Any, weights: Any, bias: Any) -> Any:
    result = ops.matmul(x, weights, transpose_a=False, transpose_b=True)
    return result if bias is None else result + bias


def _clipped(node: OnnxNode, x: Any) -> Any:
    limit = node.attr("clip")
    if limit is None:
        return x
    return ops.minimum(ops.maximum(x, number(-limit, x)), number(limit, x))


def _of_direction(value: Any, direction: int) -> Any:
    return None if value is None else getitem(convert_to_tensor(value), (direction,))


def _halves(bias: Any, direction: int) -> tuple[Any, Any]:
    if bias is None:
        return None, None
    own = _of_direction(bias, direction)
    left, right = ops.split(own, sizes=None, num=2, axis=0)
    return left, right


@reader("RNN")
def _rnn(node: OnnxNode, x: Any, w: Any, r: Any, b: Any = None, lengths: Any = None,
         initial: Any = None) -> Any:  # fmt: skip
    def step_of(direction: int) -> Step:
        (act,) = _activations(node, direction, ["Tanh"])
        weights, recurrent = _of_direction(w, direction), _of_direction(r, direction)
        bias, inner = _halves(b, direction)

        def step(entry: Any, state: Sequence[Any]) -> Sequence[Any]:
            total = _gates(entry, weights, bias) + _gates(state[0], recurrent, inner)
            return [act(_clipped(node, total))]

        return step

    return _layer(node, x, lengths, [initial], step_of, 1)


@reader("GRU")
def _gru(node: OnnxNode, x: Any, w: Any, r: Any, b: Any = None, lengths: Any = None,
         initial: Any = None) -> Any:  # fmt: skip
    size, after = node.attr("hidden_size"), node.attr("linear_before_reset", 0)

    def step_of(direction: int) -> Step:
        gate, act = _activations(node, direction, ["Sigmoid", "Tanh"])
        weights, recurrent = _of_direction(w, direction), _of_direction(r, direction)
        bias, inner = _halves(b, direction)

        def step(entry: Any, state: Sequence[Any]) -> Sequence[Any]:
            (h,) = state
            outer = _gates(entry, weights, bias)
            z, s, n = ops.split(outer, sizes=None, num=3, axis=-1)
            own = _gates(h, recurrent, inner)
            own_z, own_s, own_n = ops.split(own, sizes=None, num=3, axis=-1)
            update = gate(_clipped(node, z + own_z))
            reset = gate(_clipped(node, s + own_s))
            if after:
                candidate = n + reset * own_n
            else:
                last = getitem(recurrent, (slice(2 * size, None),))
                last_bias = None if inner is None else getitem(inner, (slice(2 * size, None),))
                candidate = n + _gates(reset * h, last, last_bias)
            hidden = act(_clipped(node, candidate))
            return [(number(1, update) - update) * hidden + update * h]

        return step

    return _layer(node, x, lengths, [initial], step_of, 1)


@reader("LSTM")
def _lstm(node: OnnxNode, x: Any, w: Any, r: Any, b: Any = None, lengths: Any = None,
          initial_h: Any = None, initial_c: Any = None, p: Any = None) -> Any:  # fmt: skip
    def step_of(direction: int) -> Step:
        gate, act, out = _activations(node, direction, ["Sigmoid", "Tanh", "Tanh"])
        weights, recurrent = _of_direction(w, direction), _of_direction(r, direction)
        bias, inner = _halves(b, direction)
        peeps: Any = (None, None, None)
        if p is not None:
            peeps = ops.split(_of_direction(p, direction), sizes=None, num=3, axis=0)

        def peep(value: Any, place: int, cell: Any) -> Any:
            return value if peeps[place] is None else value + peeps[place] * cell

        def step(entry: Any, state: Sequence[Any]) -> Sequence[Any]:
            h, c = state
            total = _gates(entry, weights, bias) + _gates(h, recurrent, inner)
            i, o, f, n = ops.split(total, sizes=None, num=4, axis=-1)
            enter = gate(_clipped(node, peep(i, 0, c)))
            if node.attr("input_forget", 0):
                keep = number(1, enter) - enter
            else:
                keep = gate(_clipped(node, peep(f, 2, c)))
            cell = keep * c + enter * act(_clipped(node, n))
            leave = gate(_clipped(node, peep(o, 1, cell)))
            return [leave * out(cell), cell]

        return step

    return _layer(node, x, lengths, [initial_h, initial_c], step_of, 2)
