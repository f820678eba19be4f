"""Sessions: run parts of a graph for fetches and feeds, and own the values of its variables.

``Session.run`` flattens the fetches, checks the feeds (feeds.py), gets an executable from the
engine (cached per fetches and feeds) and packs the results like the fetches.
"""

from __future__ import annotations

import contextlib
import itertools
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.diagnostics.traceback import shorten
from autograph.syntax.fork_safe_lock import fork_safe_lock
from runtime.eager.tensor import Tensor
from runtime.engine import session_targets, thread_pool
from runtime.engine.device_registry import LogicalDevice
from runtime.engine.feeds import fed_array, feedable, pairs
from runtime.engine.fetched import own_item, own_result
from runtime.engine.protocol import Executable, Span
from runtime.engine.session_config import ConfigProto, RunMetadata, RunOptions, step_stats
from runtime.graph.default_graph import get_default_graph
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.graph.order import topological_order
from runtime.graph.run_request import RunRequest
from runtime.graph.session_stack import default_session, session_stack
from runtime.ops import dispatch
from runtime.ops import inputs as op_inputs
from runtime.ops.array.constants import placeholder_op
from runtime.ops.resource.variable import Values, values_of_session
from runtime.staging.values import optional_nest
from runtime.types.errors import UnimplementedError
from runtime.types.settings import SETTINGS

__all__ = ["InteractiveSession", "Session", "get_default_session"]


def get_default_session() -> Any:
    """Return the innermost session that this thread has entered.

    Returns:
        Session, or None.
    """
    return default_session()


class BaseSession:
    """Runner of a graph, and owner of its variables' values.

    ``graph`` is by default the current default graph; ``config`` is a ConfigProto; ``target`` is
    empty for this process, or a cluster: ``server.target``, ``"dask://host:port"`` or
    ``"dask://local?workers=2"``.  TypeError for arguments of other types, NotFoundError for another
    target, UnavailableError where none answers.
    """

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        if graph is not None and not isinstance(graph, Graph):
            raise TypeError(f"Argument `graph` must be a Graph, got {graph!r}")
        if not isinstance(target, str):
            raise TypeError(f"Argument `target` must be a string, got {target!r}")
        if config is not None and not isinstance(config, ConfigProto):
            raise TypeError(f"Argument `config` must be a ConfigProto, got {config!r}")
        self._graph = get_default_graph() if graph is None else graph
        self._config: Any = config
        options: Any = config
        self._timeout: int = 0 if config is None else options.operation_timeout_in_ms
        self._closed = False
        self._executables: dict[Any, tuple[Executable, Any]] = {}
        """Executables by fetches and feeds; the second entry keeps the ids in the key unique."""
        self._values: Values = {}
        self._lock = fork_safe_lock()
        self._target = session_targets.open_target(target, config)

    @property
    def graph(self) -> Graph:
        """Graph that the session runs."""
        return self._graph

    @property
    def graph_def(self) -> Any:
        """Description of the graph: ``graph.as_graph_def()``."""
        return self._graph.as_graph_def()

    @property
    def sess_str(self) -> str:
        """Target that it is connected to: ``""``, this process, or that of a cluster."""
        return str(self._target.address)

    def list_devices(self) -> list[LogicalDevice]:
        """Return the devices, by their full names."""
        devices: list[LogicalDevice] = self._target.devices()
        return devices

    def close(self) -> None:
        """Release executables and values of variables; ``run`` raises RuntimeError from now on."""
        was_closed, self._closed = self._closed, True
        if not was_closed:
            self._target.close()
        self._executables.clear()
        self._values.clear()

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        """Run what ``fetches`` need: a tensor, operation, variable, name, or a nest of those.

        ``feed_dict`` maps tensors of the graph (or their names, or nests of tensors) to values of
        the same dtype and a compatible shape.  Returns the nest with NumPy arrays and scalars, and
        None for operations.  RuntimeError when closed or when the graph is empty, TypeError or
        ValueError for what cannot be fetched or fed, InvalidArgumentError for an unfed placeholder,
        FailedPreconditionError for a variable that was not initialised.
        """
        try:
            if options is not None or run_metadata is not None:
                return self._run_with_options(fetches, feed_dict, options, run_metadata)
            return self._run(fetches, feed_dict)
        except Exception as error:
            shorten(error)
            raise

    def _run_with_options(
        self, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any
    ) -> Any:
        if options is not None and not isinstance(options, RunOptions):
            raise TypeError(f"Argument `options` must be a RunOptions, got {options!r}")
        if options is not None and options.timeout_in_ms:  # type: ignore[attr-defined]
            raise UnimplementedError("RunOptions: runs have no time limit; leave out timeout_in_ms")
        level = 0 if options is None else options.trace_level  # type: ignore[attr-defined]
        if not level or run_metadata is None:
            return self._run(fetches, feed_dict)
        if not isinstance(run_metadata, RunMetadata):
            raise TypeError(f"Argument `run_metadata` must be a RunMetadata, got {run_metadata!r}")
        spans: list[Span] = []
        result = self._run(fetches, feed_dict, spans)
        run_metadata.step_stats = step_stats(spans)
        return result

    def _run(self, fetches: Any, feed_dict: Any, spans: list[Span] | None = None) -> Any:
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        graph = self._graph
        if not graph.operations:
            raise RuntimeError(
                "The Session graph is empty. Add operations to the graph before calling run()."
            )
        single = type(fetches) is SymbolicTensor
        if single:
            elements = [self._fetch(fetches)]
        else:
            with graph.as_default():  # where what a staged list was given last is put into it
                elements = [self._fetch(f) for f in optional_nest.flatten(fetches)]
        feeds, arrays = self._feeds(feed_dict) if feed_dict else ((), ())
        run = self._executable(elements, feeds)
        values = self._values_of(run, arrays, spans)
        if single:
            return own_result(fetches, values, 0)
        position = itertools.count()
        results = [
            own_result(e, values, next(position)) if isinstance(e, SymbolicTensor) else None
            for e in elements
        ]
        return optional_nest.pack_sequence_as(fetches, results, own_item)

    def _values_of(
        self, run: Executable, arrays: Sequence[Any], spans: list[Span] | None = None
    ) -> list[Any]:
        if spans is not None:
            with values_of_session(self._values, self._timeout), np.errstate(all="ignore"):
                values, spans[:] = run.profile(arrays)
                return values
        if self._config is not None and self._config.inter_op_parallelism_threads:
            with thread_pool.limited(self._config.inter_op_parallelism_threads):
                return self._with_state(run, arrays)
        if run.stateful:
            return self._with_state(run, arrays)
        with np.errstate(all="ignore"):
            return run(arrays)

    def _with_state(self, run: Executable, arrays: Sequence[Any]) -> list[Any]:
        given_up = lambda: self._closed
        with values_of_session(self._values, self._timeout, given_up), np.errstate(all="ignore"):
            return run(arrays)

    def make_callable(
        self, fetches: Any, feed_list: Any = None, accept_options: bool = False
    ) -> Callable[..., Any]:
        """Return a function that runs ``fetches`` for the values of the tensors in ``feed_list``.

        With ``accept_options`` the function takes ``options`` and ``run_metadata``, too.
        """
        if feed_list is not None and not isinstance(feed_list, list | tuple):
            raise TypeError(f"Argument `feed_list` must be a list or tuple, got {feed_list!r}")
        feeds = [feedable(self._graph, key) for key in feed_list or ()]

        def runner(*values: Any, options: Any = None, run_metadata: Any = None) -> Any:
            if len(values) != len(feeds):
                raise ValueError(
                    f"this callable takes {len(feeds)} values to feed, got {len(values)}"
                )
            if not accept_options and (options is not None or run_metadata is not None):
                raise TypeError("make this callable with accept_options=True to pass options")
            fed = dict(zip(feeds, values, strict=True))
            return self.run(fetches, fed, options, run_metadata)

        return runner

    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> str:
        """Not offered: NotImplementedError."""
        raise NotImplementedError(
            "partial_run is not offered: run everything in one session.run, or keep what is needed "
            "later in variables, or fetch it and feed it in the next run."
        )

    def partial_run(self, handle: str, fetches: Any, feed_dict: Any = None) -> Any:
        """Not offered: NotImplementedError."""
        self.partial_run_setup(fetches)

    def _fetch(self, fetch: Any) -> SymbolicTensor | Operation:
        """Return the element of the graph that a fetch means; TypeError or ValueError if none."""
        graph = self._graph
        node = fetch.op if isinstance(fetch, SymbolicTensor) else fetch
        if isinstance(node, Operation) and node.graph is graph:
            if not graph._unfetchable or graph.is_fetchable(fetch):
                return fetch
            raise ValueError(f"Operation {fetch!r} has been marked as not fetchable.")
        if fetch is None:
            raise TypeError(
                'Argument `fetch` = None has invalid type "NoneType". Cannot be None: fetch '
                "tensors, operations, variables or their names."
            )
        element = fetch
        try:
            if not isinstance(fetch, str | SymbolicTensor | Operation):
                element = self._converted(fetch)
            return self._fetch(graph.as_graph_element(element))
        except TypeError as error:
            raise TypeError(
                f"Argument `fetch` = {fetch!r} has invalid type {type(fetch).__name__}: it must be "
                f"a symbolic tensor, an operation, a variable or a name. ({error})"
                f"{_remedy(element)}"
            ) from None
        except (ValueError, KeyError) as error:
            raise ValueError(
                f"Argument `fetch` = {fetch!r} cannot be interpreted as a Tensor. "
                f"({error.args[0] if error.args else error})"
            ) from None

    def _converted(self, item: Any) -> Any:
        if hasattr(item, "_as_graph_element"):  # a variable
            return item._as_graph_element()
        with self._graph.as_default():
            return op_inputs.convert_input(item)

    def _feeds(self, feed_dict: Any) -> tuple[Sequence[SymbolicTensor], Sequence[Any]]:
        graph = self._graph
        feeds: dict[int, tuple[SymbolicTensor, Any]] = {}
        plain = type(feed_dict) is dict and all(type(key) is SymbolicTensor for key in feed_dict)
        for key, value in feed_dict.items() if plain else pairs(feed_dict):
            known = type(key) is SymbolicTensor and key.op.graph is graph and not graph._unfeedable
            tensor = key if known else feedable(graph, key)
            feeds[id(tensor)] = tensor, fed_array(tensor, value)
        return [tensor for tensor, _ in feeds.values()], [array for _, array in feeds.values()]

    def _executable(
        self, elements: Sequence[SymbolicTensor | Operation], feeds: Sequence[SymbolicTensor]
    ) -> Executable:
        graph = self._graph
        version = (len(graph.run_effects), graph.late_controls)
        key = (*version, SETTINGS.generation, *map(id, elements), None, *map(id, feeds))
        known = self._executables.get(key)
        if known is None:
            tensors = [e for e in elements if isinstance(e, SymbolicTensor)]
            operations = [e for e in elements if isinstance(e, Operation)]
            extra = self._required([*operations, *(t.op for t in tensors)], feeds)
            request = RunRequest(graph, tensors, feeds, [*operations, *extra])
            known = self._target.executable(request), (elements, feeds)
            with self._lock:
                self._executables[key] = known
        return known[0]

    def _required(
        self, wanted: list[Operation], feeds: Sequence[SymbolicTensor]
    ) -> list[Operation]:
        """Return the effects of the runs of converted code that the fetches belong to.

        Effects that need a placeholder that is not fed are left out.
        """
        graph = self._graph
        if not graph.run_effects:
            return []
        fed = frozenset(map(id, feeds))
        extra: list[Operation] = []
        run_ids: set[int] = set()
        while True:  # effects may need results of further runs
            needed = topological_order(graph, [*wanted, *extra], fed)
            found = {node.run_id for node in needed} - {0}
            if found == run_ids:
                return extra
            run_ids = found
            extra = [
                node for node in graph.run_effects
                if node.run_id in run_ids and not _unfed(graph, node, fed)
            ]  # fmt: skip

    @contextlib.contextmanager
    def as_default(self) -> Any:
        """Let ``Tensor.eval`` and ``Operation.run`` use this session within the block."""
        stack = session_stack()
        stack.append(self)
        try:
            yield self
        finally:
            if stack[-1] is not self:
                raise AssertionError(
                    "Nesting violated for the default session: another one that was entered "
                    "later is still open. Leave sessions in the reverse order."
                )
            stack.pop()


def _remedy(element: Any) -> str:
    """Return the advice for a fetch that is in no graph, or an empty text."""
    if not isinstance(element, Tensor):
        return ""
    return (
        " This tensor has its value already: use its numpy(), or make it inside `with "
        "session.graph.as_default():`."
    )


def _unfed(graph: Graph, node: Operation, fed: frozenset[int]) -> bool:
    """Return whether an operation needs a placeholder that is not fed."""
    return any(
        n.op_def is placeholder_op and id(n.outputs[0]) not in fed
        for n in topological_order(graph, [node], fed)
    )


class Session(BaseSession):
    """Session; as a context manager it is the default session, and its graph the default graph.

    ``with Session(graph=g) as session: session.run(y, {x: 1.0})``; leaving the block closes it.
    RuntimeError when the block is entered twice.
    """

    _stack: contextlib.ExitStack | None = None

    def __enter__(self) -> Session:
        if self._stack is not None:
            raise RuntimeError(
                "Session context managers are not re-entrant. Use `Session.as_default()` if you "
                "want to enter a session multiple times."
            )
        self._stack = contextlib.ExitStack()
        self._stack.enter_context(self._graph.as_default())
        self._stack.enter_context(self.as_default())
        return self

    def __exit__(self, *error: Any) -> None:
        stack, self._stack = self._stack, None
        if stack is not None:
            stack.close()
        self.close()

    @staticmethod
    def reset(target: str, containers: Any = None, config: Any = None) -> None:
        """Drop the variables of a cluster; in this process each session owns its own."""
        session_targets.reset_target(target)


class InteractiveSession(BaseSession):
    """Session that is the default one from its construction to ``close``.

    RuntimeWarning when another one is still open.
    """

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        super().__init__(target, graph, config)
        stack = session_stack()
        if any(isinstance(session, InteractiveSession) for session in stack):
            warnings.warn(
                "An interactive session is already active. Call `InteractiveSession.close()` of "
                "the other session(s) first: each keeps variables of its own.",
                RuntimeWarning, stacklevel=2,
            )  # fmt: skip
        dispatch.push_interpreter(self._graph)
        stack.append(self)

    def close(self) -> None:
        """Stop being the default session."""
        if not self._closed:
            dispatch.remove_interpreter(self._graph)
            session_stack().remove(self)
        super().close()
