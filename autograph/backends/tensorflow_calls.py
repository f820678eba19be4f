"""What TensorFlow's graphs call Python for: texts, ``print``, exceptions; for ``tensorflow``."""

from __future__ import annotations

import contextlib
import itertools
import sys
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from autograph import staging
from autograph.backends.concrete import Concrete
from autograph.backends.library_results import Results
from autograph.backends.scalars import StagedScalar
from autograph.backends.tensorflow_tries import Recorded, StagesTriesByCalls, handling
from autograph.backends.tensorflow_values import DTYPES, TensorFlowSpec, TensorFlowValues
from autograph.diagnostics.user_frame import raised_at, user_line
from autograph.errors import ConcreteValueError
from autograph.staging import StagedText


class CallsPythonAtRunTime(StagesTriesByCalls, Results, TensorFlowValues):
    """The part of the backend that calls Python when a graph runs."""

    def call_python(
        self, function: Any, kind: type | None, *args: Any,
        raises: tuple[type[BaseException], ...] | BaseException = (),
    ) -> Any:
        """Call a Python function when the graph runs."""
        if raises:
            self.note(raises)
        template = Concrete(self, args)
        handlers = list(self.tracing.handlers)

        def run(*arrays: Any) -> Any:
            with contextlib.ExitStack() as stack:
                for number, (statement, _) in zip(arrays, handlers, strict=False):
                    stack.enter_context(handling(number, statement))
                result = function(*template.make(arrays[len(handlers) :]))
            return [] if kind is None else np.asarray(result, DTYPES[kind].as_numpy_dtype)

        leaves = [number for _, number in handlers]
        leaves += [self.tensor(leaf) for leaf in template.leaves]
        of_lists = any(leaf.dtype == tf.variant for leaf in leaves)
        call = tf.py_function if of_lists else tf.numpy_function

        def idle() -> Any:
            return [] if kind is None else np.asarray(kind(), DTYPES[kind].as_numpy_dtype)

        result = call(self.acting(run, idle), leaves, [] if kind is None else DTYPES[kind])
        if kind is not None:
            result.set_shape(())
            return StagedScalar(self, kind, result)
        return None

    def acting(self, run: Callable[..., Any], idle: Callable[[], Any]) -> Callable[..., Any]:
        """Return what runs and hands on what it raises; ``idle`` runs if it was rolled back."""
        call = Recorded()
        if self.tracing.root() is not None:  # a statement may have to be traced again
            self.tracing.calls.append(call)

        def act(*values: Any) -> Any:
            if call.is_dead:
                return idle()
            try:
                return run(*values)
            except Exception as error:
                raise RuntimeError(_raised(error)) from None

        return act

    @staticmethod
    def shown(array: Any, kind: type | None = None) -> Any:
        """Return what stands for a tensor's value in a text, and in arguments of exceptions."""
        value = array.numpy() if hasattr(array, "numpy") else array
        if np.shape(value):
            return value
        number = scalars_value(value)
        return number if kind in (None, str) else kind(number)

    def print(self, *values: Any, sep: str, end: str, file: Any, flush: bool) -> None:
        """Print with Python's text when the graph runs."""
        stream = None if file is sys.stdout else file  # which may be redirected later

        def show(values: Any, sep: Any, end: Any) -> None:
            print(*values, sep=sep, end=end, file=stream, flush=flush)

        self.call_python(show, None, values, sep, end)

    def check(self, test: Any, error: Callable[[], BaseException]) -> None:
        """Raise an error unless a test holds."""
        self._unless(test, lambda: self.raise_(error()))

    def assert_(self, test: Any, failure: Callable[[], BaseException]) -> None:
        """Raise AssertionError unless a test holds."""
        self._unless(test, lambda: self.raise_(failure()))

    def _unless(self, test: Any, act: Callable[[], None]) -> None:
        def fail() -> Any:
            act()
            return tf.constant(False)

        self._last(tf.cond(self.truth(test), lambda: tf.constant(True), fail))

    @staticmethod
    def _last(check: Any) -> None:
        tf.compat.v1.get_default_graph().autograph_check = check

    @staticmethod
    def ordered() -> Any:
        """Return a context for operations that would fail had the last check not been before."""
        check = getattr(tf.compat.v1.get_default_graph(), "autograph_check", None)
        return tf.control_dependencies([] if check is None else [check])

    def raise_(self, exception: BaseException) -> None:
        """Raise an exception of the same class when the graph runs."""
        where = raised_at(exception)

        def throw(args: Any, attributes: Any) -> None:
            if staging.is_stand_in(exception):
                raise staging.actual(exception)
            held = dict(zip(exception.__dict__, attributes, strict=True))
            error = staging.like(exception, args, held)
            if where is not None:
                error.add_note(f"raised at {where[0]}:{where[1]}")
            raise error

        held_now = tuple(exception.__dict__.values())
        self.call_python(throw, None, exception.args, held_now, raises=exception)

    def text(self, text: StagedText) -> Any:
        """Return a text with staged values in it as one value."""
        return self.call_python(str, str, text)

    def result_of(self, value: Any) -> Any:
        """Return a tensor; of what may be None an optional, of a list a tensor of its items."""
        if isinstance(value, staging.StagedOptional):
            inner = self.tensor(self.in_parts(value.ag__value))
            optional = tf.experimental.Optional
            return tf.cond(
                self.truth(value.ag__present), lambda: optional.from_value(inner),
                lambda: optional.empty(tf.TensorSpec.from_tensor(inner)),
            )  # fmt: skip
        if isinstance(value, staging.StagedMap):
            raise ConcreteValueError(
                "a dict or set whose keys depend on staged values is no result for TensorFlow",
                where=user_line(), help="return its values, as a list",
            )  # fmt: skip
        if not isinstance(value, staging.StagedList):
            return self.tensor(value)
        prefix = staging.as_staged_list(value).prefix
        entry = prefix.handle.spec.entry
        if len(entry) != 1 or not isinstance(entry[0], TensorFlowSpec):
            raise ConcreteValueError(
                "a list of staged length whose items are not single tensors is no result for "
                "TensorFlow",
                where=user_line(), help="return a list for each part of the items",
            )  # fmt: skip
        return self.column(prefix.handle)


def scalars_value(array: Any) -> Any:
    """Return the Python value that an array with one value stands for."""
    value = array.item() if hasattr(array, "item") else array
    return value.decode() if isinstance(value, bytes) else value


# -- the user's exceptions -------------------------------------------------------------------------
#
# What Python raises while a graph runs becomes a text in TensorFlow, and an error of its own class.
# The text has a mark, by which the exception is found again.

_MARK = "exception of converted code number "
_errors: OrderedDict[str, BaseException] = OrderedDict()
_numbers = itertools.count(1)
_MOST = 64


def _raised(error: BaseException) -> str:
    key = f"{_MARK}{next(_numbers)}."
    _errors[key] = error
    while len(_errors) > _MOST:
        _errors.popitem(last=False)
    return f"{key} {type(error).__name__}: {error}"


def find_error(message: str) -> BaseException | None:
    """Return the exception that a text of TensorFlow's is about, if converted code raised it."""
    start = message.find(_MARK)
    key = message[start : message.find(".", start) + 1]
    return _errors.pop(key, None) if start >= 0 else None


def new_error(
    cls: type, node: Any = None, operation: Any = None, message: Any = "", *details: Any
) -> BaseException:
    """Make TensorFlow's error, or give the exception that it is about."""
    if isinstance(node, BaseException):  # Python asks for it again, because it has another class
        return node
    error = find_error(str(message))
    return Exception.__new__(cls, node, operation, message, *details) if error is None else error
