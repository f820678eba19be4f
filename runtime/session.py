"""Sessions: run a graph for some fetches, with some tensors fed.

``Session.run`` flattens the fetches, checks the feeds, asks for a plan (cached per fetches and
feeds) and packs the results as the fetches were.
"""

from __future__ import annotations

import contextlib
import threading
from typing import Any

import numpy as np

from autograph.tracebacks import shorten
from runtime import inputs as given
from runtime import nest, optionals, promotion
from runtime.defaults import get_default_graph
from runtime.eager import Tensor
from runtime.errors import InvalidArgumentError
from runtime.execute import Plan, Wanted, make_plan, ordered
from runtime.graph import Graph
from runtime.ops.state import Values, values_of_session
from runtime.symbolic import Operation, SymbolicTensor, default_session, session_stack
from runtime.types import TensorShape
from runtime.values import to_array

__all__ = ["InteractiveSession", "Session", "get_default_session"]


def get_default_session() -> Any:
    """The innermost session this thread is inside of, or None."""
    return default_session()


class BaseSession:
    """Runs a graph."""

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        if graph is not None and not isinstance(graph, Graph):
            raise TypeError(f"Argument `graph` must be a Graph, got {graph!r}")
        self._graph = get_default_graph() if graph is None else graph
        self._closed = False
        self._plans: dict[Any, Plan] = {}
        self._values: Values = {}
        self._lock = threading.Lock()

    @property
    def graph(self) -> Graph:
        """The graph that is run."""
        return self._graph

    def close(self) -> None:
        """Let go of the plans; running is an error from now on."""
        self._closed = True
        self._plans.clear()
        self._values.clear()

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        """The values of ``fetches``: a tensor, operation, variable, name, or a nest of those.

        ``feed_dict`` maps tensors of the graph (or their names, or tuples of tensors) to values.
        Operations give None.  RuntimeError when closed, TypeError or ValueError for what cannot
        be fetched or fed, InvalidArgumentError for an unfed placeholder.
        """
        try:
            return self._run(fetches, feed_dict or {})
        except Exception as error:
            shorten(error)
            raise

    def _run(self, fetches: Any, feed_dict: Any) -> Any:
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        elements = [self._fetch(f, fetches) for f in optionals.flatten(fetches)]
        feeds = self._feeds(feed_dict)
        tensors = [e for e in elements if isinstance(e, SymbolicTensor)]
        operations = [e for e in elements if isinstance(e, Operation)]
        plan = self._plan(tensors, operations, list(feeds))
        with values_of_session(self._values):
            values = iter(plan.run(list(feeds.values())))
        results = [
            _result(e, next(values)) if isinstance(e, SymbolicTensor) else None for e in elements
        ]
        return optionals.pack_sequence_as(fetches, results, _item)

    def make_callable(self, fetches: Any, feed_list: Any = None) -> Any:
        """A function of the fed values that runs ``fetches``."""
        feed_list = list(feed_list or ())

        def runner(*values: Any) -> Any:
            if len(values) != len(feed_list):
                raise TypeError(f"expected {len(feed_list)} values to feed, got {len(values)}")
            return self.run(fetches, dict(zip(feed_list, values, strict=True)))

        return runner

    def _fetch(self, fetch: Any, fetches: Any) -> SymbolicTensor | Operation:
        if fetch is None:
            raise TypeError(
                f"Argument `fetch` = {fetches!r} has invalid type NoneType. Cannot be None: fetch "
                "tensors, operations, variables or their names."
            )
        if isinstance(fetch, str):
            return self._graph.as_graph_element(fetch)
        element = fetch if isinstance(fetch, SymbolicTensor | Operation) else self._converted(fetch)
        if not isinstance(element, SymbolicTensor | Operation):
            raise TypeError(
                f"Argument `fetch` = {fetch!r} has invalid type {type(fetch).__name__}: it must be "
                f"a symbolic tensor, an operation, a variable or a name.{_remedy(element)}"
            )
        if element.graph is not self._graph:
            raise ValueError(
                f"Fetch argument {fetch!r} cannot be interpreted as a Tensor. (Tensor {element!r} "
                f"is not an element of this session's graph.)"
            )
        return element

    def _converted(self, item: Any) -> Any:
        if hasattr(item, "_as_graph_element"):  # a variable
            return item._as_graph_element()
        with self._graph.as_default():
            return given.resolve(item)

    def _feeds(self, feed_dict: Any) -> dict[SymbolicTensor, Any]:
        feeds: dict[SymbolicTensor, Any] = {}
        for key, value in feed_dict.items():
            pairs = [(key, value)]
            if nest.is_nested(key):
                nest.assert_same_structure(key, value, check_types=False)
                pairs = list(zip(nest.flatten(key), nest.flatten(value), strict=True))
            for one, fed in pairs:
                tensor = self._feedable(one)
                feeds[tensor] = _fed_array(tensor, fed)
        return feeds

    def _feedable(self, key: Any) -> SymbolicTensor:
        tensor = self._graph.get_tensor_by_name(key) if isinstance(key, str) else key
        if not isinstance(tensor, SymbolicTensor):
            tensor = self._converted(key)
        if not isinstance(tensor, SymbolicTensor):
            raise TypeError(
                f"Cannot interpret feed_dict key as Tensor: {key!r} is of type "
                f"{type(key).__name__}. Use a tensor of the graph or its name."
            )
        if tensor.graph is not self._graph:
            raise ValueError(
                f"Cannot interpret feed_dict key as Tensor. (Tensor {tensor!r} is not an element "
                "of this session's graph.)"
            )
        return tensor

    def _plan(
        self,
        tensors: list[SymbolicTensor],
        operations: list[Operation],
        feeds: list[SymbolicTensor],
    ) -> Plan:
        groups: tuple[list[Any], ...] = (tensors, operations, feeds)
        version = (len(self._graph.required), self._graph.rewired)
        key = (version, *(tuple(map(id, group)) for group in groups))
        plan = self._plans.get(key)
        if plan is None:
            wanted = [*operations, *(t.op for t in tensors)]
            extra = self._required(wanted, feeds)
            plan = make_plan(Wanted(self._graph, tensors, feeds, [*operations, *extra]))
            with self._lock:
                self._plans[key] = plan
        return plan

    def _required(
        self, wanted: list[Operation], feeds: list[SymbolicTensor]
    ) -> list[Operation]:
        """The effects of the programs that the fetches use, as far as they have all they need."""
        graph = self._graph
        if not graph.required:
            return []
        fed = frozenset(map(id, feeds))
        extra: list[Operation] = []
        programs: set[int] = set()
        while True:  # effects may need results of further programs
            found = {node.program for node in ordered(graph, [*wanted, *extra], fed)} - {0}
            if found == programs:
                return extra
            programs = found
            extra = [
                node for node in graph.required
                if node.program in programs and not _unfed(graph, node, fed)
            ]  # fmt: skip

    @contextlib.contextmanager
    def as_default(self) -> Any:
        """Within the block, ``Tensor.eval`` and ``Operation.run`` use this session."""
        session_stack().append(self)
        try:
            yield self
        finally:
            session_stack().pop()


def _remedy(element: Any) -> str:
    """What to do about a fetch that is in no graph."""
    if not isinstance(element, Tensor):
        return ""
    return (
        " This tensor has its value already: use its numpy(), or make it inside `with "
        "session.graph.as_default():`."
    )


def _unfed(graph: Graph, node: Operation, fed: frozenset[int]) -> bool:
    """Whether running the operation would meet a placeholder without a value."""
    return any(
        n.row.name == "placeholder" and id(n.outputs[0]) not in fed
        for n in ordered(graph, [node], fed)
    )


def _fed_array(tensor: SymbolicTensor, value: Any) -> Any:
    """A fed value as an array of the tensor's dtype; clear errors for dtype and shape."""
    if isinstance(value, SymbolicTensor):
        raise TypeError(
            f"The value of a feed cannot be a symbolic tensor: {value!r} for {tensor.name!r}. "
            "Acceptable are numbers, lists, NumPy arrays and eager tensors."
        )
    dtype = tensor.dtype
    array = to_array(np.asarray(value) if hasattr(value, "__array__") else value, None)
    if array.dtype != dtype.as_numpy_dtype:
        try:
            array = to_array(value if not hasattr(value, "__array__") else array, dtype)
        except (TypeError, OverflowError) as error:
            raise TypeError(
                f"Cannot feed {value!r} of dtype {array.dtype} to tensor {tensor.name!r} of "
                f"dtype {dtype.name}: {error}"
            ) from None
    if not tensor.shape.is_compatible_with(array.shape):
        raise ValueError(
            f"Cannot feed value of shape {array.shape} for Tensor {tensor.name}, which has "
            f"shape {TensorShape(tensor.shape)}"
        )
    return array


def _result(tensor: SymbolicTensor, value: Any) -> Any:
    """A fetched value as TensorFlow gives it: an array of one's own, or a NumPy scalar."""
    if tensor.weak:
        try:
            value = promotion.strengthen(value, promotion.SETTLED[tensor.dtype])
        except OverflowError as error:
            raise InvalidArgumentError(f"{error}: fetched from {tensor.name!r}") from None
    if isinstance(value, np.ndarray):
        return value.copy() if value.ndim else value[()]
    return value


def _item(value: Any, spec: Any) -> Any:
    """The value of an item of a fetched list."""
    if spec.weak:
        value = promotion.strengthen(value, promotion.SETTLED[spec.dtype])
    return value.copy() if isinstance(value, np.ndarray) and value.ndim else value[()]


class Session(BaseSession):
    """A session; as a context manager, it and its graph are the default ones."""

    def __enter__(self) -> Session:
        self._stack = contextlib.ExitStack()
        self._stack.enter_context(self._graph.as_default())
        self._stack.enter_context(self.as_default())
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.close()
        self.close()


class InteractiveSession(BaseSession):
    """A session that is the default one from its making to ``close``."""

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        super().__init__(target, graph, config)
        self._stack = contextlib.ExitStack()
        self._stack.enter_context(self._graph.as_default())
        self._stack.enter_context(self.as_default())

    def close(self) -> None:
        """Stop being the default session."""
        if not self._closed:
            self._stack.close()
        super().close()
