"""``Model.summary``: the layers of a model as a table."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from runtime.graph.operation import Operation
from runtime.keras.functional.functional_graph import LayerCall, is_functional
from runtime.keras.functional.program import step_of
from runtime.keras.layers.base.call_arguments import shape_of
from runtime.keras.layers.base.input_layer import input_layer_of
from runtime.keras.layers.base.layer import Layer
from runtime.ops.array.constants import placeholder_op
from runtime.types import nest

_COLUMNS = ("Layer (type)", "Output Shape", "Param #", "Connected to", "Trainable")
_WIDTHS = {
    (False, False): (33, 24, 15), (True, False): (21, 19, 12, 19),
    (False, True): (29, 23, 12, 7), (True, True): (19, 17, 11, 16, 7),
}  # fmt: skip
"""Widths of the columns of 80 characters, with connections or not, and with ``Trainable`` or not.
"""
_ALIGNMENT = {"Param #": ">", "Trainable": "^"}


def print_summary(
    model: Any, line_length: int | None, positions: Sequence[float] | None,
    print_fn: Callable[[str], Any] | None, expand_nested: bool, show_trainable: bool,
    layer_range: Sequence[str] | None,
) -> None:  # fmt: skip
    """Print the table; the arguments are those of ``Model.summary``."""
    program = model._program
    connected = program is not None and not _is_chain(model)
    shown = (True, True, True, connected, show_trainable)
    names = [name for name, is_shown in zip(_COLUMNS, shown, strict=True) if is_shown]
    columns = dict(zip(names, _WIDTHS[connected, bool(show_trainable)], strict=True))
    if positions is not None and len(positions) != len(columns):
        raise ValueError(f"positions must have {len(columns)} numbers, one for {list(columns)}")
    widths = _column_widths(list(columns.values()), line_length or 80, positions)
    rows = []
    for depth, owner, layer in _rows(model, expand_nested, layer_range):
        row = [
            "   " * depth + ("└ " if depth else "") + f"{layer.name} ({_kind(layer)})",
            _shape_text(owner, layer), _count_text(layer),
        ]  # fmt: skip
        if connected:
            row.append(_connections(model, layer) if not depth else "-")
        if show_trainable:
            weighted = isinstance(layer, Layer) and layer.weights
            row.append(("Y" if layer.trainable else "N") if weighted else "-")
        rows.append(row)
    lines = [f'Model: "{model.name}"', *_table(list(columns), rows, widths), *_totals(model)]
    (print_fn or print)("\n".join(lines))


def _kind(layer: Any) -> str:
    """Return the class of a layer; of an operation its name as one: ``reduce_sum``, ReduceSum."""
    if isinstance(layer, Operation):
        return "".join([word.capitalize() for word in layer.op_def.name.split("_")])
    return type(layer).__name__


def _is_constant(step: Any) -> bool:
    return isinstance(step, Operation) and not step.inputs and step.op_def is not placeholder_op


def _is_chain(model: Any) -> bool:
    """Return whether each layer takes what the one before it gives, and nothing else."""
    program = model._program
    if len(nest.flatten(program.inputs)) > 1 or len(program.steps) != len(model.layers) - (
        not _hides_inputs(model)
    ):
        return _hides_inputs(model)
    before = nest.flatten(program.inputs)
    for step in program.steps:
        inputs = list(step.inputs)
        if not isinstance(step, LayerCall) or len(inputs) != 1 or inputs[0] is not before[0]:
            return False
        before = nest.flatten(step.outputs)
    return True


def _hides_inputs(model: Any) -> bool:
    """Return whether inputs are not among the layers, as in a Sequential."""
    inputs = [input_layer_of(tensor) for tensor in nest.flatten(model._program.inputs)]
    return not any(layer is entry for layer in model.layers for entry in inputs)


def _column_widths(
    shares: Sequence[float], line_length: int, positions: Sequence[float] | None
) -> list[int]:
    if positions is not None:
        shares = [end - start for start, end in zip([0.0, *positions], positions, strict=False)]
    room = line_length - 4 - (len(shares) + 1)
    widths = [max(6, int(room * share / sum(shares))) for share in shares]
    widths[-1] = max(6, room - sum(widths[:-1]))
    return widths


def _rows(
    model: Any, expand: bool, layer_range: Sequence[str] | None, depth: int = 0
) -> Iterator[tuple[int, Any, Any]]:
    """Yield depth, model and layer of each row; an operation on tensors has one, too."""
    layers = list(model.layers)
    if model._program is not None and not _hides_inputs(model):
        rows = model._program.rows(input_layer_of)
        layers = [row for row in rows if not _is_constant(row)]
    if layer_range is not None:
        layers = layers[_between(layers, layer_range)]
    for layer in layers:
        yield depth, model, layer
        if expand and hasattr(layer, "layers"):
            yield from _rows(layer, expand, None, depth + 1)


def _between(layers: list[Any], layer_range: Sequence[str]) -> slice:
    """Return the range from the first layer that matches a pattern to the last of another one."""
    if len(layer_range) != 2:
        raise ValueError(
            f"layer_range must have two patterns, of the first and the last name, got {layer_range}"
        )
    start_matches, end_matches = [
        [n for n, layer in enumerate(layers) if re.match(pattern, layer.name)]
        for pattern in layer_range
    ]
    if not start_matches or not end_matches:
        raise ValueError(f"no names of layers match the patterns of layer_range {layer_range}")
    start, end = sorted([min(start_matches), max(end_matches)])
    return slice(start, end + 1)


def _shape_text(model: Any, layer: Any) -> str:
    """Return the shape of a layer's output, or of its outputs; '?' where it is not known."""
    program = getattr(model, "_program", None)
    shapes_found: list[Any] = []
    if program is not None:
        for tensor in nest.flatten(program.inputs):
            if input_layer_of(tensor) is layer:
                shapes_found.append(shape_of(tensor))
        for step in program.steps:
            if step is layer or isinstance(step, LayerCall) and step.layer is layer:
                outputs = list(step.outputs) if step is layer else step.outputs
                shapes_found += [shape_of(tensor) for tensor in nest.flatten(outputs)]
                break
    if isinstance(layer, Operation):
        return ", ".join([str(shape) for shape in shapes_found])
    computes_shape = type(layer).compute_output_shape is not Layer.compute_output_shape
    shapes = layer._keras.build_shapes
    if not shapes_found and computes_shape and shapes:
        shapes_found = [layer.compute_output_shape(*shapes.values())]
    return str(shapes_found[0] if len(shapes_found) == 1 else shapes_found) if shapes_found else "?"


def _count_text(layer: Any) -> str:
    if isinstance(layer, Operation):
        return "0"
    if not layer.built and type(layer).build is not Layer.build:
        return "0 (unbuilt)"
    return f"{_elements(layer.weights):,}"


def _connections(model: Any, layer: Any) -> str:
    """Return the tensors that a layer takes, as layer[call][output]."""
    calls: dict[int, int] = {}
    names: dict[int, str] = {}
    sources_found: list[str] = []
    for tensor in nest.flatten(model._program.inputs):
        names[id(tensor)] = f"{input_layer_of(tensor).name}[0][0]"
    for step in model._program.steps:
        owner = step.layer if isinstance(step, LayerCall) else step
        number = calls.setdefault(id(owner), 0)
        calls[id(owner)] += 1
        if owner is layer:
            sources = [t for t in step.inputs if is_functional(t)]
            sources_found += [_source(t, names) for t in sources if not _is_constant(t.op)]
        outputs = step.outputs
        for place, tensor in enumerate(nest.flatten(list(outputs) if owner is step else outputs)):
            names.setdefault(id(tensor), f"{owner.name}[{number}][{place}]")
    return ", ".join(sources_found) or "-"


def _source(tensor: Any, names: dict[int, str]) -> str:
    return names.get(id(tensor)) or str(getattr(step_of(tensor), "name", "?"))


def _table(header: Sequence[str], rows: list[list[str]], widths: list[int]) -> Iterator[str]:
    yield "┏" + "┳".join(["━" * width for width in widths]) + "┓"
    yield from _cells(header, header, widths, "┃")
    yield "┡" + "╇".join(["━" * width for width in widths]) + "┩"
    for number, row in enumerate(rows):
        if number:
            yield "├" + "┼".join(["─" * width for width in widths]) + "┤"
        yield from _cells(header, row, widths, "│")
    yield "└" + "┴".join(["─" * width for width in widths]) + "┘"


def _cells(
    header: Sequence[str], row: Sequence[str], widths: list[int], edge: str
) -> Iterator[str]:
    """Yield the lines of a row, whose cells are wrapped between words; longer words are cut."""
    wrapped = []
    for text, width in zip(row, widths, strict=True):
        room = width - 2
        lines = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False)
        wrapped.append([_cut(line, room) for line in lines or [""]])
    for number in range(max(map(len, wrapped))):
        cells = []
        for name, lines, width in zip(header, wrapped, widths, strict=True):
            text = lines[number] if number < len(lines) else ""
            cells.append(f" {text:{_ALIGNMENT.get(name, '<')}{width - 2}} ")
        yield edge + edge.join(cells) + edge


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _totals(model: Any) -> Iterator[str]:
    trained = model.trainable_weights
    fixed = model.non_trainable_weights
    state = getattr(getattr(model, "optimizer", None), "variables", None) or []
    yield f" Total params: {_sized([*trained, *fixed, *state])}"
    yield f" Trainable params: {_sized(trained)}"
    yield f" Non-trainable params: {_sized(fixed)}"
    if state:
        yield f" Optimizer params: {_sized(state)}"


def _elements(variables: Sequence[Any]) -> int:
    return sum([math.prod(v.shape.as_list()) for v in variables])


def _sized(variables: Sequence[Any]) -> str:
    """Return a number of elements, with the memory that they take."""
    size: float = sum([math.prod(v.shape.as_list()) * v.dtype.size for v in variables])
    unit = "B"
    for larger in "KB", "MB", "GB", "TB":
        if size < 1024:
            break
        size, unit = size / 1024, larger
    return f"{_elements(variables):,} ({size:.2f} {unit})"
