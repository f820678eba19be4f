"""Streams of random numbers: the global seed, the seeds of ops, and the streams that they start.

A draw takes the next numbers of a stream.  All draws without a seed of their own share one stream,
which starts from the global seed; draws with one have a stream for each kind of op and seed.  The
streams belong to what runs the program: a session, or the process for eager execution and
functions.  So a program draws the same numbers, in its order, whichever way it runs.
"""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Iterator
from contextvars import ContextVar
from types import NoneType
from typing import Any

import numpy as np

from autograph.syntax.fork_safe_lock import fork_safe_lock
from runtime.ops.visible_lock import VisibleLock
from runtime.types.graph_literals import graph_literal

MASK = 2**63 - 1
DEFAULT_SEED = 87654321
"""The global seed of ops with a seed of their own when none was set."""
STRIDE = 256
"""How far a draw moves a Generator's counter for each number, as in TensorFlow."""


def generator(*seed: int) -> Any:
    """NumPy's generator for whole numbers; for none, one that nobody can foresee."""
    return np.random.Generator(np.random.Philox([s & MASK for s in seed] if seed else None))


class RandomStream:
    """A source of random numbers that goes on from draw to draw, whatever happens elsewhere."""

    __slots__ = ("_generator", "address", "lock", "seed")

    def __init__(self, *seed: int) -> None:
        self.seed = seed
        self._generator: Any = None
        self.lock = VisibleLock()
        self.address = 0
        """Where NumPy's C structure of the generator lies, once ``current`` was called."""

    def current(self) -> RandomStream:
        """The stream itself, with the address of its generator for native code."""
        if not self.address:
            with self.drawing() as rng:
                self.address = rng.bit_generator.ctypes.bit_generator.value
        return self

    @contextlib.contextmanager
    def drawing(self) -> Iterator[Any]:
        """NumPy's generator, for one draw; made late, as importing numpy.random takes a while."""
        with self.lock:
            if self._generator is None:
                self._generator = generator(*self.seed)
            yield self._generator

    @property
    def position(self) -> dict[str, Any]:
        """Where the stream is, as ints, texts and lists that JSON can hold."""
        with self.drawing() as rng:
            state: dict[str, Any] = _as_lists(rng.bit_generator.state)
        return state

    @position.setter
    def position(self, value: dict[str, Any]) -> None:
        with self.drawing() as rng:
            rng.bit_generator.state = _as_arrays(value)

    def __repr__(self) -> str:
        return f"<random stream {self.seed or 'without seed'}>"


def _as_lists(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _as_lists(entry) for name, entry in value.items()}
    return value.tolist() if isinstance(value, np.ndarray) else value


def _as_arrays(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _as_arrays(entry) for name, entry in value.items()}
    return np.array(value, np.uint64) if isinstance(value, list) else value


class RandomState:
    """The streams of one place where programs run, and its global seed."""

    def __init__(self) -> None:
        self.lock = fork_safe_lock()
        self.reset(None)

    def reset(self, seed: int | None) -> None:
        """Start all streams anew, from another global seed."""
        with self.lock:
            self.seed = seed
            self.streams: dict[Hashable, RandomStream] = {}

    def snapshot(self) -> dict[str, Any]:
        """The global seed and where all streams are, as values that JSON can hold."""
        with self.lock:
            streams = dict(self.streams)
        places = [[list(key), stream.position] for key, stream in streams.items()]  # type: ignore[call-overload]
        return {"seed": self.seed, "streams": places}

    def restore(self, snapshot: dict[str, Any]) -> None:
        """Go back to a snapshot: the draws after it are those that followed when it was taken.

        KeyError, TypeError or ValueError for what is none; nothing is changed then.
        """
        streams: dict[Hashable, RandomStream] = {}
        for key, position in snapshot["streams"]:
            streams[tuple(key)] = stream = RandomStream(*key)
            stream.position = position
        seed = snapshot["seed"]
        with self.lock:
            self.seed, self.streams = seed, streams

    def stream(self, source: RandomSource) -> RandomStream:
        """The stream that a draw takes numbers from."""
        base = source.base if self.seed is None else self.seed
        if base is None and self is not PROCESS:
            base = PROCESS.seed
        key: tuple[int, ...]
        if source.seed is not None:
            key = (DEFAULT_SEED if base is None else base, source.seed, source.kind)
        else:
            key = () if base is None else (base,)
        stream = self.streams.get(key)
        if stream is None:
            with self.lock:
                stream = self.streams.setdefault(key, RandomStream(*key))
        return stream


class Iteration(RandomState):
    """The streams of one way through a dataset: ops with a seed begin anew, others go on."""

    def __init__(self) -> None:
        super().__init__()
        self.outer = current_random_state()
        self.seed = self.outer.seed

    def stream(self, source: RandomSource) -> RandomStream:
        """The stream that a draw takes numbers from."""
        return self.outer.stream(source) if source.seed is None else super().stream(source)


PROCESS = RandomState()
"""Eager execution, and functions called from there."""


_running: ContextVar[RandomState] = ContextVar("the world that runs", default=PROCESS)


@contextlib.contextmanager
def running_in(world: RandomState) -> Iterator[None]:
    """Within the block, this thread draws from the streams of ``world``."""
    before = _running.set(world)
    try:
        yield
    finally:
        _running.reset(before)


def current_random_state() -> RandomState:
    """Whose streams this thread draws from now."""
    return _running.get()


@graph_literal("random_source", seed=(int, NoneType), kind=(int,), base=(int, NoneType))
class RandomSource:
    """What an op draws from: ``seed`` is its own, ``base`` that of the graph it was made in."""

    __slots__ = ("base", "kind", "seed")

    def __init__(self, seed: int | None, kind: int, base: int | None) -> None:
        self.seed = seed
        self.kind = kind
        self.base = base

    def drawing(self) -> contextlib.AbstractContextManager[Any]:
        """NumPy's generator, for one draw."""
        return _running.get().stream(self).drawing()

    def current(self) -> RandomStream:
        """The stream that a draw takes numbers from now, with the address of its generator."""
        return _running.get().stream(self).current()

    def __repr__(self) -> str:
        return f"<random source seed={self.seed} of {self.base}>"
