"""JAX: converted Python under ``jit``, ``grad``, ``vmap`` and all other transformations.

Registered when this module is imported.  A recording is a trace of JAX's own that builds a jaxpr,
so that a branch can be left and entered again; conditionals and loops are then those of JAX.  A
value is staged if it is a tracer whose value is not known: under ``grad`` alone it is, and Python
runs branches and loops itself.
"""

from __future__ import annotations

import logging
import operator
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src import core, debugging, source_info_util
from jax._src.interpreters import partial_eval

from autograph.backends.jax_values import BUILTINS, JaxValues, number_kind
from autograph.backends.loops import Guard
from autograph.staging import register


class _Raised(Exception):
    """Carries an exception of the program's out of a callback."""

    def __init__(self, error: BaseException) -> None:
        number = id(self)
        super().__init__(f"autograph exception {number}")
        self.error = error
        _raised[number] = error


_raised: dict[int, BaseException] = {}
"""Exceptions that callbacks have raised, until JAX reports them."""


def _reported(cls: Any, *args: Any) -> Any:
    """Make a JaxRuntimeError; where it reports an exception of the program's, return that one.

    JAX tells only the text of what a callback raises, when the result of the call is waited for.
    """
    if args and isinstance(args[0], BaseException):
        return args[0]  # the interpreter asks again for an exception of the class
    match = re.search(r"autograph exception (\d+)", str(args[0]) if args else "")
    error = _raised.pop(int(match[1]), None) if match is not None else None
    return RuntimeError.__new__(cls, *args) if error is None else error


class JaxBackend(JaxValues):
    """Backend that stages Python on JAX."""

    name = "jax"
    folder = __file__
    staged_types = ("Tracer", "DynamicJaxprTracer", "JitTracer", "BatchTracer", "JVPTracer")
    value_types = (jax.Array,)

    def __init__(self) -> None:
        super().__init__()
        self.builtins = {
            **BUILTINS, bool: self.truth, operator.truth: self.truth, operator.index: self.number
        }  # fmt: skip

    # -- whose value is it? -----------------------------------------------------------------------

    def owns(self, value: object) -> bool:
        """Whether a value is JAX's, or of a staged value of autograph's own."""
        return isinstance(value, jax.Array) or super().owns(value)

    def is_staged(self, value: object) -> bool:
        """Whether a value is a tracer of which the value is not known."""
        if isinstance(value, core.Tracer):
            return core.to_concrete_value(value) is None  # type: ignore[no-untyped-call]
        return super().is_staged(value)

    def python_type(self, value: object) -> type | None:
        """The type of the Python number that a weak scalar, or a bool, stands for."""
        return number_kind(jax.typeof(value)) if isinstance(value, core.Tracer) else None

    def number_type(self, spec: Any) -> type | None:
        """The same of a description."""
        return number_kind(spec)

    def is_tracing(self) -> bool:
        """Whether a transformation is under way in this thread."""
        return not core.trace_state_clean()

    def iterates(self, value: Any) -> bool:
        """Whether ``for`` over an array is staged: in a transformation, of arrays with an axis."""
        return self.is_tracing() and np.ndim(value) > 0

    # -- recordings -------------------------------------------------------------------------------

    def open(self) -> Any:
        """A trace that builds a jaxpr."""
        debug = core.DebugInfo("autograph", "autograph", None, None)
        return partial_eval.DynamicJaxprTrace(debug, parent_trace=core.trace_ctx.trace)

    def recording(self, recording: Any) -> AbstractContextManager[Any]:
        """Record in the trace."""
        stack = ExitStack()
        stack.enter_context(core.set_current_trace(recording))  # type: ignore[no-untyped-call]
        stack.enter_context(source_info_util.reset_name_stack())
        return stack

    def is_inside(self, recording: Any, outer: Any) -> bool:
        """Whether a trace is in another one, or is the current one."""
        if recording is None:
            return core.trace_ctx.trace is outer
        return recording.parent_trace is outer

    def add_input(self, recording: Any, spec: Any) -> Any:
        """One more argument of the jaxpr."""
        return recording.new_arg(spec, source_info_util.current())

    def is_from(self, value: Any, recordings: Sequence[Any]) -> bool:
        """Whether a tracer is of one of the traces."""
        return isinstance(value, core.Tracer) and value._trace in recordings

    def close(self, recording: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> Any:
        """The jaxpr with the values of other traces that it uses."""
        source = source_info_util.current()
        with self.recording(recording):
            values = [v if isinstance(v, core.Tracer) else jnp.asarray(v) for v in outputs]
            tracers = [recording.to_jaxpr_tracer(value, source) for value in values]
        recording.frame.invars = [value.val for value in inputs]
        debug = recording.frame.debug_info
        return recording.frame.to_jaxpr(recording, tracers, debug, source)

    def inline(self, function: Any, values: Sequence[Any]) -> list[Any]:
        """Record the equations of a jaxpr here."""
        jaxpr, constants = function
        return list(core.eval_jaxpr(jaxpr, constants, *values))

    def _call(self, function: Any) -> Callable[..., Any]:
        return lambda *values: self.inline(function, values)

    def record_cond(
        self, test: Any, then: Any, otherwise: Any, values: Sequence[Any]
    ) -> list[Any]:
        """``lax.cond``."""
        return list(lax.cond(test, self._call(then), self._call(otherwise), *values))

    def record_while(
        self, test: Any, body: Any, start: Sequence[Any], where: tuple[str, int] | None
    ) -> list[Any]:
        """``lax.while_loop``."""
        return list(lax.while_loop(
            lambda state: self.inline(test, list(state))[0],
            lambda state: self.inline(body, list(state)),
            list(start),
        ))  # fmt: skip

    def record_scan(
        self, body: Any, start: Sequence[Any], sources: Sequence[Any], length: int, numbered: bool
    ) -> list[Any]:
        """``lax.scan``."""
        jaxpr, _ = body
        used = {v for eqn in jaxpr.eqns for v in eqn.invars if isinstance(v, core.Var)}
        used.update(v for v in jaxpr.outvars if isinstance(v, core.Var))
        needs_number = numbered and jaxpr.invars[len(start)] in used
        numbers = [self.numbers(length)] if needs_number else []

        def turn(state: Any, items: Any) -> Any:
            number = [] if not numbered else items[:1] if needs_number else [0]
            return self.inline(body, [*state, *number, *items[len(numbers):]]), None

        state, _ = lax.scan(turn, list(start), [*numbers, *sources], length=length)
        return list(state)

    # -- effects ----------------------------------------------------------------------------------

    def run_at(
        self, act: Callable[[list[Any]], object], values: Sequence[Any], guards: Sequence[Guard]
    ) -> None:
        """An ordered callback."""
        expected = [taken for _, taken in guards]

        def callback(flags: Any, arrays: Any) -> None:
            if [bool(flag) for flag in flags] == expected:
                try:
                    act([np.asarray(array) for array in arrays])
                except BaseException as error:
                    raise _Raised(error) from None

        try:
            jax.debug.callback(
                callback, [flag for flag, _ in guards], list(values), ordered=True
            )
        except _Raised as raised:  # it has run at once
            _raised.pop(id(raised), None)
            raise raised.error from None

BACKEND = register(JaxBackend())
jax.errors.JaxRuntimeError.__new__ = staticmethod(_reported)
logging.getLogger(debugging.__name__).addFilter(
    lambda record: not (record.exc_info and isinstance(record.exc_info[1], _Raised))
)
