"""``if`` statements and conditional expressions.

Both operators return the function to call, and converted code calls it, so that the body is called
by the user's own frame.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from autograph.operators.control.long_loops import is_decided_by_loops
from autograph.operators.control.path_tracing import Paths
from autograph.operators.joins.exact_joins import joining_exactly
from autograph.operators.joins.join_errors import EXPRESSION, RESULT
from autograph.operators.joins.plan import lift, lower, spec_of_branches
from autograph.operators.state.closure_cells import Symbols
from autograph.operators.state.special_methods import special
from autograph.staging.protocol import Backend
from autograph.staging.registry import staging_backend
from autograph.staging.staged_list import StagedList, length
from autograph.staging.staged_map import StagedMap
from autograph.staging.staged_sequence import StagedSequence
from autograph.staging.staged_string import StagedText
from autograph.staging.staged_union import StagedOptional, StagedUnion
from autograph.staging.state_spec import StagedValue, StateSpec

Body = Callable[[], Any]
Owners = tuple[Any, ...]

nothing = type(None)
"""Called instead of a side that is not there."""


def if_stmt(
    test: Any, if_body: Body, else_body: Body | None = None, names: Symbols = (),
    owners: Owners | None = None,
) -> Body:
    """Return the body to run; for a staged test, a function that returns the joined result.

    ``names`` are the symbols that the bodies change and that are read afterwards; ``owners`` as in
    ``staged_if``.
    """
    if test is True:
        return if_body
    if test is False:
        return else_body or nothing
    test = call_truth_method(test)
    backend = testing_backend(test)
    if backend is None:
        return if_body if test else else_body or nothing
    result = staged_if(backend, test, if_body, else_body, names, owners)
    return lambda: result


def if_exp(test: Any, if_body: Body, else_body: Body) -> Body:
    """Return the side of a conditional expression to evaluate."""
    if test is True:
        return if_body
    if test is False:
        return else_body
    test = call_truth_method(test)
    backend = testing_backend(test)
    if backend is None:
        return if_body if test else else_body
    result = staged_if(backend, test, if_body, else_body, result=EXPRESSION)
    return lambda: result


def staged_if(
    backend: Backend,
    test: Any,
    if_body: Body | None,
    else_body: Body | None,
    names: Symbols = (),
    owners: Owners | None = None,
    result: str = RESULT,
) -> Any:
    """Stage a conditional: set the variables to the joined values and return the joined result.

    ``owners`` are the functions whose closures hold the variables, and other objects that the
    bodies may change, if that is not what the bodies themselves hold; ``result`` is the name of the
    bodies' result in messages.

    Raises JoinError when the values of the two sides cannot be joined.
    """
    test = test_of(test)
    paths = Paths(backend, names, (if_body, else_body) if owners is None else owners)
    statement = _TracedCond(paths, test, if_body, else_body, result)
    try:
        values = backend.cond(test, statement)
        outcome = lift(statement.spec, values, backend)
    except BaseException as error:
        paths.fail(error)
        raise
    return paths.finish(outcome)


class _TracedCond:
    """Conditional that a backend stages: implements ``StagedCond``."""

    spec: StateSpec

    def __init__(
        self, paths: Paths, test: Any, if_body: Body | None, else_body: Body | None, result: str
    ) -> None:
        self.paths = paths
        self.test = test
        self.bodies = {True: if_body, False: else_body}
        self.outcomes: dict[bool, Any] = {}
        self.result = result

    def trace(self, taken: bool) -> None:
        """Run the body of a side."""
        self.outcomes[taken] = self.paths.trace(self.bodies[taken], guard=(self.test, taken))

    def join(self) -> StateSpec:
        """Return the joined layout of the outcomes of both sides."""
        left, right = self.outcomes[True], self.outcomes[False]
        names = self.paths.state.names
        with joining_exactly(is_decided_by_loops(self.test, self.paths.backend)):
            self.spec = spec_of_branches(self.paths.heap, names, left, right, self.result)
        return self.spec

    def outputs(self, taken: bool) -> list[Any]:
        """Return the outcome of a side, in its trace."""
        return lower(self.spec, self.outcomes[taken], self.paths.heap)


def testing_backend(test: Any) -> Backend | None:
    """Return the backend that knows the truth of ``test``, or None when Python does."""
    return test.ag__backend if isinstance(test, StagedUnion) else staging_backend(test)


def call_truth_method(test: Any) -> Any:
    """Return the result of a user class's ``__bool__`` or ``__len__``; any other test itself."""
    if type(test) is StagedText:
        return test.staged()
    method = special(test, "__bool__")
    if method is not None:
        result = method()
        if type(result) is not bool and testing_backend(result) is None:
            raise TypeError(f"__bool__ should return bool, returned {type(result).__name__}")
        return result
    method = special(test, "__len__")
    return test if method is None else checked_length(method()) != 0


def checked_length(count: Any) -> Any:
    """Return what a user class's ``__len__`` returns; ValueError if that is negative."""
    error = functools.partial(ValueError, "__len__() should return >= 0")
    backend = testing_backend(count)
    if backend is not None:
        backend.check(count >= 0, error)
    elif count < 0:
        raise error()
    return count


def truth(value: Any) -> Any:
    """``bool(value)``; staged when it is not known yet."""
    value = call_truth_method(value)
    backend = testing_backend(value)
    if backend is None:
        return bool(value)
    if isinstance(value, StagedList):
        value = length(value)
    elif isinstance(value, StagedMap):
        value = value.length()  # type: ignore[attr-defined]
    elif isinstance(value, StagedSequence):
        return value.count != 0
    elif isinstance(value, StagedValue):
        return True  # an iterator
    if not isinstance(value, StagedUnion):
        if backend.python_type(value) is bool:
            return value
        return backend.logical_not(backend.logical_not(value))
    if not isinstance(value, StagedOptional):
        return value.ag__apply_to_each(truth)
    inner = value.ag__value
    test = staged_if(backend, value.ag__present, lambda: truth(inner), lambda: False)
    value.ag__learn(test, when_true=True, when_false=None)
    return test


def test_of(value: Any) -> Any:
    """Return the truth of a staged value that its backend knows no truth of; others themselves."""
    kinds = (StagedUnion, StagedList, StagedMap, StagedValue)
    return truth(value) if isinstance(value, kinds) else value


def negate(value: Any) -> Any:
    """``not value`` of a staged value."""
    value = test_of(value)
    backend = testing_backend(value)
    return not value if backend is None else backend.logical_not(value)
