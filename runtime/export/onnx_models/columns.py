"""Lists as ONNX has them: a sequence for each value of an entry, all of one length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from autograph.named_tuples import NamedTuple
from runtime.export.onnx_models.node_writer import number_or_refusal
from runtime.export.onnx_models.onnx_gap import OnnxGap
from runtime.export.onnx_models.onnx_library import onnx_library
from runtime.graph.operation import Operation
from runtime.types.dtypes import DType, float32, variant


class Columns(NamedTuple):
    """Names of the sequences of a list, and the dtypes of their entries.

    ``grows`` says of a tensor array that entries may be written after the last one.
    """

    names: tuple[str, ...]
    dtypes: tuple[DType, ...]
    grows: bool = False

    def replaced(self, names: Sequence[str]) -> Columns:
        """Return the list with other sequences."""
        return self._replace(names=tuple(names))

    def infos(self) -> list[Any]:
        """Return the types of the sequences as ONNX' messages."""
        return [sequence_info(n, d) for n, d in zip(self.names, self.dtypes, strict=True)]


def sequence_info(name: str, dtype: DType) -> Any:
    """Return the type of a sequence as ONNX' message."""
    helper = onnx_library().helper
    tensor = helper.make_tensor_type_proto(number_or_refusal(dtype), None)
    return helper.make_value_info(name, helper.make_sequence_type_proto(tensor))


def flat(values: Sequence[Any]) -> list[str]:
    """Return the names of values, those of the sequences of a list among them."""
    return [n for v in values for n in (v.names if isinstance(v, Columns) else (v,))]


def packed(likes: Sequence[Any], names: Sequence[str]) -> list[Any]:
    """Return values of the kinds of others from the names that ``flat`` gives."""
    remaining = iter(names)
    return [
        like.replaced([next(remaining) for _ in like.names]) if isinstance(like, Columns)
        else next(remaining) for like in likes
    ]  # fmt: skip


def columns_of_new(model: Any, tensor: Any) -> tuple[DType, ...]:
    """Return the dtypes of what will be put into an empty list, or read from it.

    If that is nothing, its length counts alone, and any dtype will do.
    """
    dtypes = {row for row in _uses(model, tensor) if row}
    if len(dtypes) > 1:
        raise OnnxGap("the entries of a list must have the same types in ONNX")
    row = dtypes.pop() if dtypes else (float32,)
    if variant in row:
        raise OnnxGap("ONNX has no lists of lists")
    return row


def _uses(model: Any, tensor: Any) -> Iterator[tuple[DType, ...]]:
    """Yield the dtypes of entries, wherever a list goes."""
    todo, seen = [tensor], {id(tensor)}
    while todo:
        current = todo.pop()
        following: list[Any] = []
        graph = current.graph
        for node in graph.operations:
            for place, operand in enumerate(node.inputs):
                if operand is current:
                    row, further = _used(node, place)
                    following += further
                    yield row
        parent = model.parents.get(id(graph))
        for number, output in enumerate(graph.outputs if parent is not None else ()):
            if output is current:
                following += _returned(parent, graph, number)
        for item in following:
            if id(item) not in seen:
                seen.add(id(item))
                todo.append(item)


_ENTRIES = {
    "list_push": lambda node: node.inputs[1:], "list_set": lambda node: node.inputs[2:],
    "list_item": lambda node: node.outputs, "list_pop": lambda node: node.outputs[1:],
    "list_stack": lambda node: node.outputs,
}  # fmt: skip
"""Op -> the tensors that are entries of its first input."""


def _used(node: Operation, place: int) -> tuple[tuple[DType, ...], list[Any]]:
    """Return the dtypes of the entries of an operation's list, and where the list goes on."""
    name, attrs = node.op_def.name, node.attrs
    if name in _ENTRIES and place == 0:
        row = tuple(tensor.dtype for tensor in _ENTRIES[name](node))
        return row, [t for t in node.outputs[:1] if t.dtype is variant]
    if name == "list_push":
        return (), []
    if name == "while":
        count, split = len(node.outputs), attrs["splits"][0]
        test, body = attrs["test_graph"], attrs["body_graph"]
        if place < count:
            return (), [body.inputs[place], test.inputs[place], node.outputs[place]]
        is_test = place < count + split
        return (), [test.inputs[place] if is_test else body.inputs[place - split]]
    if name == "cond":
        split = attrs["splits"][0]
        if place - 1 < split:
            return (), [attrs["true_graph"].inputs[place - 1]]
        return (), [attrs["false_graph"].inputs[place - 1 - split]]
    if name == "scan":
        return (), [attrs["body_graph"].inputs[place]]
    if name in ("call", "custom_gradient"):
        return (), [attrs["graph"].inputs[place]]
    return (), [t for t in node.outputs if t.dtype is variant]


def _returned(parent: Operation, graph: Any, number: int) -> list[Any]:
    """Return the tensors that an output of a graph becomes."""
    name = parent.op_def.name
    if name == "while":
        return [parent.outputs[number], graph.inputs[number]]
    return [parent.outputs[number]] if number < len(parent.outputs) else []
