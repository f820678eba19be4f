"""Recordings of branches and bodies as FX graphs: for ``torch``.

A recording runs the library's operations on tensors without data, and notes each in a graph.
Tensors from outside become inputs of it, its *captures*.  No code is traced by Dynamo, so bodies
may write to variables around them.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import fx
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch._subclasses.functional_tensor import FunctionalTensor
from torch.fx.experimental.proxy_tensor import get_proxy_mode, get_proxy_slot
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError

HIGHER_ORDER = torch.ops.higher_order


def without_function(tensor: Any) -> Any:
    """Return the tensor that a functional one stands for."""
    while isinstance(tensor, FunctionalTensor):
        tensor = torch._from_functional_tensor(tensor.elem)
    return tensor


class TorchRecording(TorchDispatchMode):  # type: ignore[misc]
    """A graph that is being recorded, and the tensors that its nodes stand for."""

    def __init__(self, outer: TorchRecording | None) -> None:
        super().__init__()
        self.outer = outer
        self.graph = fx.Graph()
        self.modules: dict[str, fx.GraphModule] = {}
        self.nodes: dict[int, fx.Node] = {}
        self.kept: list[Any] = []
        """The tensors by whose identity nodes are known: they must not go."""
        self.captures: list[tuple[Any, fx.Node]] = []
        self.shadows: dict[int, Any] = {}
        self.export: Any = get_proxy_mode() if outer is None else outer.export
        """The mode of the export around all recordings."""
        self.fakes: Any = outer.fakes if outer is not None else _fake_mode()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Note an operation, and run it without data."""
        kwargs = kwargs or {}
        if func._schema.is_mutable:
            for value in pytree.tree_leaves((args, kwargs)):
                if isinstance(value, torch.Tensor) and id(value) not in self.nodes:
                    raise EffectError(
                        f"{func} changes a tensor of the code around a staged path in place",
                        where=user_line(),
                        help="assign a new tensor to the variable: x = x + 1, not x += 1",
                    )
        inputs = pytree.tree_map_only(torch.Tensor, self.node, (args, kwargs))
        values = pytree.tree_map_only(torch.Tensor, self.shadow, (args, kwargs))
        with self.fakes:
            result = func(*values[0], **values[1])
        node = self.graph.call_function(func, *inputs)
        self.note(result, node)
        return result

    def note(self, result: Any, node: fx.Node) -> None:
        """Note what tensors a node, or the items of a node, stand for."""
        if isinstance(result, torch.Tensor):
            self.nodes[id(result)] = node
            self.kept.append(result)
        elif isinstance(result, (list, tuple)):
            for number, item in enumerate(result):
                if isinstance(item, torch.Tensor):
                    self.note(item, self.graph.call_function(_item, (node, number)))

    def node(self, tensor: Any) -> fx.Node:
        """Return the node of a tensor; one from outside becomes an input."""
        node = self.nodes.get(id(tensor))
        if node is None:
            node = self.graph.placeholder(f"captured_{len(self.captures)}")
            self.captures.append((tensor, node))
            self.nodes[id(tensor)] = node
            self.kept.append(tensor)
        return node

    def shadow(self, tensor: Any) -> Any:
        """Return a tensor without data like a given one."""
        if isinstance(tensor, FakeTensor):
            return tensor
        found = self.shadows.get(id(tensor))
        if found is None:
            with _disable_current_modes():
                bare = without_function(tensor)
                found = bare if isinstance(bare, FakeTensor) else self.fakes.from_tensor(bare)
            self.shadows[id(tensor)] = found
        return found

    def empty(self, dtype: Any, shape: Any, device: Any = None) -> Any:
        """Return a tensor without data, of which no operation is noted."""
        with _disable_current_modes(), self.fakes:
            return torch.empty(shape, dtype=dtype, device=device)

    def add_input(self, dtype: Any, shape: Any) -> Any:
        """Return a tensor that a new input stands for."""
        tensor = self.empty(dtype, shape)
        self.note(tensor, self.graph.placeholder(f"input_{len(self.kept)}"))
        return tensor

    def module(self, module: fx.GraphModule) -> fx.Node:
        """Return the node of a graph inside of this one."""
        name = f"path_{len(self.modules)}"
        self.modules[name] = module
        return self.graph.create_node("get_attr", name)

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Record within the block; the modes around are switched off."""
        with _disable_current_modes(), self:
            CURRENT.append(self)
            try:
                yield
            finally:
                CURRENT.pop()


def node_of(value: Any) -> fx.Node | None:
    """Return the node that a tensor, or a node of an input, stands for in the recording, or the
    graph of an export, that it comes from.
    """
    tensor = value
    for recording in CURRENT:
        captured = {node: tensor for tensor, node in recording.captures}
        tensor = captured.get(value, tensor) if isinstance(value, fx.Node) else tensor
    if isinstance(tensor, fx.Node):
        return tensor
    for recording in CURRENT:
        node = recording.nodes.get(id(tensor))
        if node is not None and all(node is not place for _, place in recording.captures):
            return node
    mode = CURRENT[0].export if CURRENT else get_proxy_mode()
    slot = None if mode is None else get_proxy_slot(without_function(tensor), mode.tracer, None)
    return None if slot is None else slot.proxy.node


CURRENT: list[TorchRecording] = []
"""The recordings that are entered, innermost last."""


def _item(sequence: Any, number: int) -> Any:
    return sequence[number]


def _fake_mode() -> FakeTensorMode:
    found = torch._guards.detect_fake_mode()
    return FakeTensorMode(allow_non_fake_inputs=True) if found is None else found


class Closed:
    """A recording that is a function of its inputs and captures."""

    def __init__(
        self, recording: TorchRecording, inputs: Sequence[Any], outputs: Sequence[Any]
    ) -> None:
        self.recording = recording
        self.inputs = [recording.nodes[id(tensor)] for tensor in inputs]
        self.outputs = [recording.node(tensor) for tensor in outputs]
        self.types = [
            (shadow.dtype, tuple(shadow.shape), shadow.device)
            for shadow in map(recording.shadow, outputs)
        ]

    def captured(self) -> list[Any]:
        """Return the tensors from outside."""
        inputs = {*self.inputs}
        return [tensor for tensor, node in self.recording.captures if node not in inputs]

    def build(self, captured: Sequence[Any]) -> fx.GraphModule:
        """Return a module whose inputs are the function's, and these tensors from outside."""
        graph = fx.Graph()
        places: dict[fx.Node, fx.Node] = {}
        for number, node in enumerate(self.inputs):
            places[node] = graph.placeholder(f"input_{number}")
        own = {id(tensor): node for tensor, node in self.recording.captures}
        for number, tensor in enumerate(captured):
            placeholder = graph.placeholder(f"captured_{number}")
            if id(tensor) in own:
                places.setdefault(own[id(tensor)], placeholder)
        for node in self.recording.graph.nodes:
            if node.op != "placeholder":
                places[node] = graph.node_copy(node, places.__getitem__)
        used: set[fx.Node] = set()
        results = []
        for node in self.outputs:
            result = places[node]
            if result in used or result.op == "placeholder":  # results must not be inputs
                result = graph.call_function(torch.ops.aten.clone.default, (result,))
            used.add(result)
            results.append(result)
        graph.output(tuple(results))
        return fx.GraphModule(self.recording.modules, graph)


def union(*functions: Closed) -> list[Any]:
    """Return the tensors from outside that some of the functions use."""
    found = {id(tensor): tensor for one in functions for tensor in one.captured()}
    return list(found.values())


def apply(
    operator: Any, before: Sequence[Any], functions: Sequence[Any], *operands: Sequence[Any],
    types: Sequence[Any],
) -> list[Any]:
    """Record, or run, an operator that takes modules; return its results."""
    if not CURRENT:
        result = operator(*before, *functions, *map(tuple, operands))
        return list(result) if isinstance(result, (list, tuple)) else [result]
    recording = CURRENT[-1]
    arguments = (
        *map(recording.node, before), *map(recording.module, functions),
        *(tuple(map(recording.node, group)) for group in operands),
    )  # fmt: skip
    node = recording.graph.call_function(operator, arguments)
    results = [recording.empty(*one) for one in types]
    recording.note(results, node)
    return results


def inlined(function: Closed, values: Sequence[Any]) -> list[Any]:
    """Do here what a function does."""
    nodes: dict[fx.Node, Any] = dict(zip(function.inputs, values, strict=True))
    for tensor, node in function.recording.captures:
        nodes.setdefault(node, tensor)
    modules = function.recording.modules
    for node in function.recording.graph.nodes:
        if node.op == "get_attr":
            nodes[node] = modules[node.target]
        elif node.op == "call_function":
            args, kwargs = fx.map_arg((node.args, node.kwargs), nodes.__getitem__)
            if isinstance(node.target, torch._ops.HigherOrderOperator):
                nodes[node] = _higher_order(function.recording, node, args)
            else:
                nodes[node] = node.target(*args, **kwargs)
    return [nodes[node] for node in function.outputs]


def _higher_order(recording: TorchRecording, node: fx.Node, args: Any) -> list[Any]:
    before = list(itertools.takewhile(lambda arg: isinstance(arg, torch.Tensor), args))
    functions = [arg for arg in args if isinstance(arg, fx.GraphModule)]
    items = {user.args[1]: user for user in node.users}
    known = {id(n): t for t in recording.kept if (n := recording.nodes.get(id(t))) is not None}
    types = []
    for number in range(len(items)):
        tensor = known[id(items[number])]
        types.append((tensor.dtype, tuple(tensor.shape), tensor.device))
    return apply(node.target, before, functions, *args[len(before) + len(functions) :], types=types)
