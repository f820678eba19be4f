"""What a functional model computes: calls of layers, and operations, from inputs to outputs."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from runtime.eager.tensor import Tensor
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.keras.functional.functional_graph import LayerCall, is_functional
from runtime.keras.layers.base.input_layer import input_layer_of
from runtime.keras.layers.base.masks import mask_of, set_mask
from runtime.ops import dispatch
from runtime.ops.array.constants import cast, placeholder_op
from runtime.ops.array.shape import expand_dims, squeeze
from runtime.types import nest

Step = LayerCall | Operation


class FunctionalProgram:
    """Steps from inputs to outputs, in an order in which they can run.

    ``inputs`` and ``outputs`` are nests of tensors of one functional graph.

    Raises ValueError for what is no such tensor, and for outputs that depend on other inputs.
    """

    def __init__(self, inputs: Any, outputs: Any) -> None:
        self.inputs = inputs
        self.outputs = outputs
        self._flat = nest.flatten(inputs)
        for kind, values in ("input", self._flat), ("output", nest.flatten(outputs)):
            for value in values:
                if not is_functional(value):
                    raise ValueError(
                        f"All `{kind}s` values must be KerasTensors: tensors that Input() gave, "
                        f"or that layers made of them. Received: {value!r}"
                    )
        if len({id(t) for t in self._flat}) < len(self._flat):
            raise ValueError("an input of a model is given twice")
        self._ends = {id(t) for t in self._flat}
        self.steps: list[Step] = []
        self._met: dict[int, int] = {}
        self._visit(nest.flatten(outputs))
        self._check_names()

    def _visit(self, outputs: Sequence[SymbolicTensor]) -> None:
        """Collect the steps that outputs need, each after those that it needs.

        ``_met`` numbers steps and inputs in the order in which a way from the outputs meets them.
        """
        done: set[int] = set()
        todo: list[tuple[Any, bool]] = [(t, False) for t in reversed(outputs)]
        while todo:
            item, finished = todo.pop()
            if finished:
                self.steps.append(item)
                continue
            step = item if id(item) in self._ends else step_of(item)
            self._met.setdefault(id(step), len(self._met))
            if step is item or id(step) in done:
                continue
            done.add(id(step))
            if isinstance(step, Operation) and step.op_def is placeholder_op:
                raise ValueError(
                    f"Output with path `{self._path_of(item)}` is not connected to `inputs`: it "
                    f"depends on {item!r}, which is no input of the model; add it to the inputs"
                )
            todo.append((step, True))
            todo += [(t, False) for t in reversed(list(step.inputs))]

    def _path_of(self, lost: SymbolicTensor) -> str:
        """Return the path of the first output that depends on a tensor."""
        for path, output in nest.flatten_with_paths(self.outputs):
            todo, seen = [output], set()
            while todo:
                tensor = todo.pop()
                if tensor is lost:
                    return ".".join(map(str, path))
                step = step_of(tensor)
                if id(step) not in seen and id(tensor) not in self._ends:
                    seen.add(id(step))
                    todo += step.inputs
        return ""

    def _check_names(self) -> None:
        """Raise ValueError where two layers of the model have one name."""
        layers = {id(step.layer): step.layer for step in self.steps if isinstance(step, LayerCall)}
        counts = Counter([layer.name for layer in layers.values()])
        for name, count in counts.items():
            if count > 1:
                raise ValueError(
                    f'The name "{name}" is used {count} times in the model. All operation names '
                    "should be unique."
                )

    def run(
        self, values: Any, layer_of: Callable[[Any], Any] = lambda layer: layer,
        name: str | None = None,
    ) -> Any:  # fmt: skip
        """Compute the outputs for values of the inputs, a nest like these.

        ``layer_of`` returns what is called in place of a layer.  With the ``name`` of the model the
        values are checked: ValueError where they do not fit the inputs.
        """
        by_symbol: dict[int, Any] = {}
        for number, (symbol, value) in enumerate(self._matched(values)):
            if name is not None:
                self._check(symbol, value, number, name)
            by_symbol[id(symbol)] = _converted(value, symbol)

        def value_of(leaf: Any) -> Any:
            return by_symbol[id(leaf)] if is_functional(leaf) else leaf

        for step in self.steps:
            if isinstance(step, Operation):
                inputs = [value_of(t) for t in step.inputs]
                results = dispatch.apply(step.op_def, inputs, dict(step.attrs))
                outputs: Sequence[Any] = results if isinstance(results, tuple) else (results,)
                by_symbol.update(zip(map(id, step.outputs), outputs, strict=True))
                continue
            args, kwargs = nest.map_structure(value_of, (step.args, step.kwargs))
            results = layer_of(step.layer)(*args, **kwargs)
            result_leaves = nest.flatten(results)
            for symbol, result in zip(nest.flatten(step.outputs), result_leaves, strict=True):
                by_symbol[id(symbol)] = result
                if mask_of(symbol) is not None:
                    by_symbol[id(mask_of(symbol))] = mask_of(result)
        return nest.map_structure(value_of, self.outputs)

    def takes(self, values: Any) -> bool:
        """Return whether a nest has the structure of the inputs, or is the only one in a list."""
        return _paired(self.inputs, values) is not None or len(nest.flatten(values)) == 1

    def _matched(self, values: Any) -> list[tuple[SymbolicTensor, Any]]:
        """Return the inputs with their values; ValueError for another number of them."""
        inputs = self.inputs
        if isinstance(inputs, dict) and isinstance(values, dict):
            for key in sorted(inputs.keys() - values.keys()):
                raise ValueError(
                    f'Missing data for input "{key}". You passed a data dictionary with keys '
                    f"{list(values)}. Expected the following keys: {sorted(inputs)}"
                )
        pairs = _paired(inputs, values)
        if pairs is not None:
            flat = nest.flatten(values)
            if len(flat) > len(self._flat) and not any(map(is_functional, flat)):
                warnings.warn(self._mismatch(values), stacklevel=2)
            return pairs
        names = [input_name(t) for t in self._flat]
        if isinstance(values, dict) and set(names) <= set(values):
            return [(t, values[name]) for t, name in zip(self._flat, names, strict=True)]
        flat = nest.flatten(values)
        if len(flat) != len(self._flat):
            named = "named " if isinstance(inputs, dict) else ""
            which = f" with keys {sorted(inputs)}" if named else ""
            raise ValueError(
                f"The model expects {len(self._flat)} {named}input(s){which} ({', '.join(names)}), "
                f"but it received {len(flat)}."
            )
        if isinstance(inputs, dict) or isinstance(values, dict):
            # a list is in the order of the sorted names
            if isinstance(values, dict) or list(inputs) != sorted(inputs):
                raise ValueError(self._mismatch(values))
            if not any(map(is_functional, flat)):
                warnings.warn(self._mismatch(values), stacklevel=2)
        return list(zip(self._flat, flat, strict=True))

    def _mismatch(self, values: Any) -> str:
        """Return what is said of values in another structure than that of the inputs."""
        shapes = nest.map_structure(
            lambda value: "None" if value is None else f"Tensor(shape={value.shape})", values
        )
        return (
            "The structure of `inputs` doesn't match the expected structure.\n"
            f"Expected: {nest.map_structure(input_name, self.inputs)}\nReceived: inputs={shapes}"
        )

    def _check(self, symbol: SymbolicTensor, value: Any, number: int, name: str) -> None:
        """Raise ValueError for a value that an input does not take."""
        if value is None:
            if not input_layer_of(symbol).optional:
                raise ValueError(
                    f"Input {input_name(symbol)!r} of model {name!r} is None, but it is not "
                    "optional: make it by Input(..., optional=True)"
                )
            return
        shape, expected = getattr(value, "shape", None), symbol.shape.as_list()
        if shape is None or shape.rank is None or symbol.shape.rank is None:
            return
        sizes = shape.as_list()
        if abs(len(sizes) - len(expected)) > 1 or _of_rank_is_off(sizes, expected):
            path = next(
                ".".join(map(str, path))
                for path, leaf in nest.flatten_with_paths(self.inputs) if leaf is symbol
            )  # fmt: skip
            raise ValueError(
                f"Invalid input shape for input {value!r} with name {input_name(symbol)!r} and "
                f"path {path!r}. Expected shape {tuple(expected)}, but input has incompatible "
                f"shape {tuple(sizes)}"
            )
        inner = zip(_without_last_one(expected)[1:], _without_last_one(sizes)[1:], strict=False)
        if any(None not in pair and pair[0] != pair[1] for pair in inner):
            raise ValueError(
                f"Input {number} of layer {name!r} is incompatible with the layer: expected "
                f"shape={(None, *expected[1:])}, found shape={tuple(sizes)}"
            )

    def layers(self, input_layer: Callable[[SymbolicTensor], Any]) -> list[Any]:
        """Return the layers: those far from the outputs first, then in the order of ``_met``.

        ``input_layer`` returns the layer that stands for an input.
        """
        return [row for row in self.rows(input_layer) if not isinstance(row, Operation)]

    def rows(self, input_layer: Callable[[SymbolicTensor], Any]) -> list[Any]:
        """Return layers and operations, in the order of ``layers``."""
        depth: dict[int, int] = {}
        order: dict[int, int] = {}
        by_identity: dict[int, Any] = {}
        distance: dict[int, int] = {}
        for step in reversed(self.steps):
            row_depth = distance.get(id(step), 0)
            layer = step.layer if isinstance(step, LayerCall) else step
            row_depth = max(row_depth, depth.get(id(layer), 0))
            depth[id(layer)] = row_depth
            by_identity[id(layer)] = layer
            order[id(layer)] = min(self._met[id(step)], order.get(id(layer), len(self._met)))
            for tensor in step.inputs:
                key = id(tensor) if id(tensor) in self._ends else id(step_of(tensor))
                distance[key] = max(distance.get(key, 0), row_depth + 1)
        for tensor in self._flat:
            layer = input_layer(tensor)
            by_identity[id(layer)] = layer
            depth[id(layer)] = distance.get(id(tensor), 0)
            order[id(layer)] = self._met.get(id(tensor), -1)  # not used: first of its depth
        return [
            by_identity[key] for key in sorted(by_identity, key=lambda k: (-depth[k], order[k]))
        ]


def _of_rank_is_off(sizes: list[Any], expected: list[Any]) -> bool:
    """Return whether a value has another rank, and no last axis of size 1 makes up for it."""
    longer, shorter = (sizes, expected) if len(sizes) > len(expected) else (expected, sizes)
    return len(longer) != len(shorter) and longer[-1] != 1


def _without_last_one(sizes: list[Any]) -> list[Any]:
    return sizes[:-1] if sizes and sizes[-1] == 1 else sizes


def step_of(tensor: SymbolicTensor) -> Step:
    """Return the call of a layer, or the operation, that computes a tensor."""
    graph: Any = tensor.op.graph
    return graph.call_of(tensor.op) or tensor.op


def _paired(inputs: Any, values: Any) -> list[tuple[SymbolicTensor, Any]] | None:
    """Return the tensors of a nest with the values at their places; None for other structures."""
    if isinstance(inputs, dict):
        if not isinstance(values, dict) or not inputs.keys() <= values.keys():
            return None
        branches = [_paired(entry, values[name]) for name, entry in inputs.items()]
    elif isinstance(inputs, list | tuple):
        if not isinstance(values, list | tuple) or len(inputs) != len(values):
            return None
        branches = [_paired(entry, value) for entry, value in zip(inputs, values, strict=True)]
    else:
        return None if isinstance(values, list | tuple | dict) else [(inputs, values)]
    pairs: list[tuple[SymbolicTensor, Any]] = []
    for entry in branches:
        if entry is None:
            return None
        pairs += entry
    return pairs


def _converted(value: Any, tensor: SymbolicTensor) -> Any:
    """Convert the value of an input to the dtype and rank of the input, as Keras does."""
    if not isinstance(value, Tensor):
        return value
    converted = of_rank(value, tensor)
    if value.dtype is not tensor.dtype:
        dtypes = value.dtype, tensor.dtype
        if any(dtype.name == "string" or dtype.is_complex for dtype in dtypes):
            return converted
        converted = cast(converted, tensor.dtype)
    if converted is not value:
        set_mask(converted, mask_of(value))
    return converted


def of_rank(value: Any, tensor: SymbolicTensor) -> Any:
    """Return a value with, or without, a last axis of size 1, if that makes it fit an input."""
    rank, input_rank = value.shape.rank, tensor.shape.rank
    if rank is None or input_rank is None or rank == input_rank:
        return value
    if rank == input_rank + 1 and value.shape[-1] == 1:
        return squeeze(value, axis=[-1])
    if rank == input_rank - 1 and tensor.shape[-1] == 1:
        return expand_dims(value, -1)
    return value


def input_name(tensor: SymbolicTensor) -> str:
    """Return the name of an input: that of its layer."""
    return str(input_layer_of(tensor).name)


