"""``test.TestCase``: tests of programs, eager or in graphs, with the same words.

Each test starts with the same random numbers and, where graphs are built, a new default graph.
"""

from __future__ import annotations

import random
import tempfile
import unittest
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from runtime.engine.session import Session, get_default_session
from runtime.graph.default_graph import get_default_graph, reset_default_graph
from runtime.graph.graph import Graph
from runtime.ops import dispatch
from runtime.ops.random.sampling import set_seed
from runtime.state.variable import Variable
from runtime.testing.comparisons import Comparisons
from runtime.types import nest
from runtime.types.value import Value

SEED = 87654321


class TestCase(Comparisons, unittest.TestCase):
    """unittest's class with assertions on tensors, and sessions where graphs are built::

        class SquareTest(tf.test.TestCase):
            def testSquare(self):
                with self.session():
                    x = tf.square([2, 3])
                    self.assertAllEqual(x, [4, 9])
    """

    def __init__(self, methodName: str = "runTest") -> None:
        super().__init__(methodName)
        self._kept: Any = None
        self._folder: str | None = None

    def setUp(self) -> None:
        """Start from the same random numbers, and an empty default graph."""
        random.seed(SEED)
        np.random.seed(SEED)
        if not dispatch.executing_eagerly() and not dispatch.stack():
            reset_default_graph()
        set_seed(SEED)

    def tearDown(self) -> None:
        """Close the cached session."""
        session, self._kept = self._kept, None
        if session is not None:
            session.close()

    # -- values -----------------------------------------------------------------------------------

    def evaluate(self, tensors: Any) -> Any:
        """The values of a nest of tensors, as arrays: eagerly, or by the session of the test."""
        leaves = nest.flatten(tensors)
        if dispatch.executing_eagerly():
            return nest.pack_sequence_as(tensors, [_value(leaf) for leaf in leaves])
        fetches = [leaf for leaf in leaves if _is_fetched(leaf)]
        session = get_default_session()
        if session is not None:
            values = iter(session.run(fetches))
        else:
            with self.cached_session() as session:
                values = iter(session.run(fetches))
        results = [next(values) if _is_fetched(leaf) else leaf for leaf in leaves]
        return nest.pack_sequence_as(tensors, results)

    # -- sessions ---------------------------------------------------------------------------------

    @contextmanager
    def session(
        self, graph: Graph | None = None, config: Any = None, use_gpu: bool = True,
        force_gpu: bool = False,
    ) -> Iterator[Any]:  # fmt: skip
        """A session for the block, of the default graph if none is given; eagerly a stand-in."""
        if dispatch.executing_eagerly():
            yield _EagerSession(self)
            return
        home = get_default_graph() if graph is None else graph
        with home.as_default(), Session(graph=home, config=config) as session:
            yield session

    @contextmanager
    def cached_session(
        self, graph: Graph | None = None, config: Any = None, use_gpu: bool = True,
        force_gpu: bool = False,
    ) -> Iterator[Any]:  # fmt: skip
        """As ``session``, but one session for the whole test.  ValueError for another graph."""
        if dispatch.executing_eagerly():
            yield _EagerSession(self)
            return
        home = get_default_graph() if graph is None else graph
        if self._kept is None or (graph is None and self._kept.graph is not home):
            self._kept = Session(graph=home, config=config)
        if self._kept.graph is not home:
            raise ValueError(
                "The graph used to get the cached session is different than the one that was used "
                "to create the session. Maybe create a new session with self.session()"
            )
        with home.as_default(), self._kept.as_default():
            yield self._kept

    def test_session(
        self, graph: Graph | None = None, config: Any = None, use_gpu: bool = True,
        force_gpu: bool = False,
    ) -> Any:  # fmt: skip
        """``cached_session`` without a graph, ``session`` with one: TensorFlow 1's name."""
        if self._testMethodName == "test_session":
            self.skipTest("Not a test.")
        if graph is None:
            return self.cached_session(None, config, use_gpu, force_gpu)
        return self.session(graph, config, use_gpu, force_gpu)

    def get_temp_dir(self) -> str:
        """A folder for the test, which goes away after it."""
        if self._folder is None:
            folder = tempfile.TemporaryDirectory()
            self.addCleanup(folder.cleanup)
            self._folder = folder.name
        return self._folder


class _EagerSession:
    """Stands for a session where operations run at once."""

    def __init__(self, case: TestCase) -> None:
        self._case = case

    def run(self, fetches: Any, feed_dict: Any = None, *args: Any, **kwargs: Any) -> Any:
        """The values; NotImplementedError for feeds, which eager execution has no use for."""
        if feed_dict:
            raise NotImplementedError("a test's session takes no feed_dict under eager execution")
        return self._case.evaluate(fetches)


def _is_fetched(leaf: Any) -> bool:
    return isinstance(leaf, Value | Variable) or hasattr(leaf, "node_def")


def _value(leaf: Any) -> Any:
    return leaf.numpy() if hasattr(leaf, "numpy") else leaf


# -- what tests ask of the machine ----------------------------------------------------------------


def main(argv: list[str] | None = None) -> None:
    """Run the tests of the module that Python was started with.

    Args:
        argv: arguments of the command line; ``sys.argv`` by default.
    Returns:
        None; exits the process.
    """
    unittest.main(argv=argv)


def disable_with_predicate(
    pred: Callable[[], bool], skip_message: str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a decorator that skips a test on a condition.

    Args:
        pred: function without arguments, called when the test starts.
        skip_message: reason that is reported.
    Returns:
        Decorator of test methods.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        def decorated(self: Any, *args: Any, **kwargs: Any) -> None:
            if pred():
                self.skipTest(skip_message)
            function(self, *args, **kwargs)

        return decorated

    return decorate


