"""JAX: converted Python under ``jit``, ``grad``, ``vmap`` and all other transformations.

Registered when this module is imported.  A recording is a trace of JAX's own that builds a jaxpr,
so that a branch can be left and entered again; conditionals and loops are then those of JAX.  A
value is staged if it is a tracer whose value is not known: under ``grad`` alone it is, and Python
runs branches and loops itself.
"""

from __future__ import annotations

import itertools
import logging
import operator
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from types import FunctionType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src import core, debugging, source_info_util
from jax._src.interpreters import ad, partial_eval
from jax.experimental import checkify

from autograph.backends import jax_math
from autograph.backends.jax_binding import bind_cond, bind_scan, bind_while
from autograph.backends.jax_jaxprs import divides, kind_of_tracer, number_kind, recorded_as, retype
from autograph.backends.jax_values import BUILTINS, JaxValues, Placeholder
from autograph.backends.loops import Guard
from autograph.backends.nested_lists import NestedLists
from autograph.backends.results import RESULTS, take_apart
from autograph.errors import EffectError, StagingError
from autograph.staging import each_container_class, register, user_line

_raised: dict[str, BaseException] = {}
"""The last exception that each effect has raised, until JAX reports it."""
_serial = itertools.count()


def _traced_call(act: Callable[[list[Any]], object], values: list[Any]) -> None:
    try:
        act(values)
    except BaseException as error:
        _raised[sys._getframe().f_code.co_name] = error
        raise


def _reported(cls: Any, *args: Any) -> Any:
    """Make a JaxRuntimeError; where it reports an exception of the program's, return that one.

    JAX tells only the text of what a callback raises, when the result of the call is waited for.
    The text has the names of functions, and that of an effect is its own.
    """
    if args and isinstance(args[0], BaseException):
        return args[0]  # the interpreter asks again for an exception of the class
    match = re.search(r"autograph_effect_\d+", str(args[0]) if args else "")
    error = _raised.pop(match[0], None) if match is not None else None
    return RuntimeError.__new__(cls, *args) if error is None else error


def _is_checkified() -> bool:
    """Whether ``checkify`` is under way, around whatever else is."""
    trace = core.trace_ctx.trace
    while trace is not None:
        info = getattr(getattr(trace, "frame", None), "debug_info", None)
        if getattr(info, "traced_for", "").startswith("checkify"):
            return True
        trace = getattr(trace, "parent_trace", None)
    return False


def _check(
    act: Callable[[list[Any]], object], values: Sequence[Any], guards: Sequence[Guard]
) -> None:
    """Record a check with the class and the text of the exception that ``act`` raises."""
    try:
        act([Placeholder(k) for k in range(len(values))])
    except Exception as error:
        text = "\n".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ())])
    text = text.replace("{", "{{").replace("}", "}}").replace("\0", "{").replace("\1", "}")
    fails = jnp.bool_(True)
    for flag, taken in guards:
        fails = fails & (flag if taken else ~flag)
    checkify.check(~fails, text, *values)


def _recorder(callback: Callable[..., None], ordered: bool) -> Callable[..., Any]:
    """Return what records a callback; under ``vmap``, one that goes through the elements."""

    @jax.custom_batching.custom_vmap
    def record(flags: Any, arrays: Any) -> Any:
        jax.debug.callback(callback, flags, arrays, ordered=ordered)
        return ()

    @record.def_vmap
    def record_batch(size: int, batched: Any, *values: Any) -> Any:
        several = jax.tree.leaves(batched)

        def of_each(*values: Any) -> None:
            leaves, tree = jax.tree.flatten([list(map(np.asarray, v)) for v in values])
            for k in range(size):
                pairs = zip(leaves, several, strict=True)
                callback(*jax.tree.unflatten(tree, [v[k] if many else v for v, many in pairs]))

        return _recorder(of_each, ordered)(*values), ()

    return record


_LOOP = "<loop of autograph at "
_refuse_while = ad.primitive_transposes[lax.while_p]


def _transposed_while(*args: Any, **params: Any) -> Any:
    """Refuse the reverse mode of a ``while``: an error that names the user's line."""
    info = str(params["body_jaxpr"].jaxpr.debug_info.func_src_info)
    match = re.search(f"{_LOOP}(.*):(\\d+)>", info)
    if match is None:
        return _refuse_while(*args, **params)
    raise StagingError(
        "the reverse mode of JAX's derivatives needs a bound of the number of turns of this loop",
        where=(match[1], int(match[2])),
        help="set one in the loop's body, with autograph.set_loop_options(maximum_iterations=n), "
        "loop over an array, or use a forward mode such as jax.jacfwd",
    )


class JaxBackend(NestedLists, JaxValues):
    """Backend that stages Python on JAX."""

    name = "jax"
    folder = __file__
    staged_types = ("Tracer", "DynamicJaxprTracer", "JitTracer", "BatchTracer", "JVPTracer")
    value_types = (jax.Array,)

    def __init__(self) -> None:
        super().__init__()
        self._begun: dict[int, Any] = {}
        self.builtins = {
            **BUILTINS, **jax_math.builtins_of(self), bool: self.truth,
            operator.truth: self.truth, operator.index: self.number,
            **dict.fromkeys((bin, chr, hex, oct), self.text),
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
        return kind_of_tracer(value) if isinstance(value, core.Tracer) else None

    def number_type(self, spec: Any) -> type | None:
        """The same of a description."""
        return number_kind(spec)

    def recorded_as(self, value: Any) -> tuple[Any, Sequence[Any]]:
        """The tracer that builds a jaxpr, within those of derivatives and vectorization."""
        return recorded_as(value)

    def is_tracing(self) -> bool:
        """Whether a transformation is under way in this thread."""
        return not core.trace_state_clean()

    def iterates(self, value: Any) -> bool:
        """Whether ``for`` over an array is staged: in a transformation, of arrays with an axis."""
        return self.is_tracing() and np.ndim(value) > 0

    def known(self, value: Any) -> Any:
        """The value of a scalar that is no tracer; else None."""
        is_scalar = isinstance(value, (jax.Array, np.ndarray)) and not np.shape(value)
        return None if isinstance(value, core.Tracer) or not is_scalar else value.item()

    def taken(self, items: Any, count: int) -> list[Any]:
        """The first of the items that lie side by side in a tree of arrays."""
        leaves, tree = jax.tree.flatten(items)
        return [jax.tree.unflatten(tree, [leaf[k] for leaf in leaves]) for k in range(count)]

    def plain_key(self, key: Any) -> Any:
        """A key of arrays as Python's own number, or tuple of these."""
        return jax.tree.map(lambda leaf: leaf.item(), key)

    # -- exceptions that JAX does not raise -------------------------------------------------------

    def mark(self) -> Any:
        """Begin to list exceptions, and remember where the trace is."""
        mark = super().mark()
        frame = getattr(core.trace_ctx.trace, "frame", None)
        self._begun[id(mark)] = frame, 0 if frame is None else len(frame.get_eqns())
        return mark

    def failures(self, mark: Any) -> tuple[type[BaseException], ...]:
        """The exceptions; where something is divided, Python might raise what JAX does not."""
        frame, start = self._begun.pop(id(mark))
        if frame is None or any(map(divides, frame.get_eqns()[start:])):
            mark[ZeroDivisionError] = None
        return super().failures(mark)

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

    def is_used(self, recording: Any, value: Any, outputs: Sequence[Any]) -> bool:
        """Whether an equation, or an output, of an open trace uses a tracer of it."""
        equations = recording.frame.get_eqns()
        return any(output is value for output in outputs) or any(
            value.val is atom for equation in equations for atom in equation.invars
        )

    def retype(
        self, recording: Any, inputs: Sequence[Any], specs: Sequence[Any], outputs: Sequence[Any]
    ) -> bool:
        """Where weak inputs become strong ones of the same dtypes, on which nothing depends."""
        return retype(recording, inputs, specs, outputs)

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
        bound = bind_cond(test, then, otherwise, values)
        if bound is not None:
            return bound
        return list(lax.cond(test, self._call(then), self._call(otherwise), *values))

    def record_while(
        self, test: Any, body: Any, start: Sequence[Any], where: tuple[str, int] | None
    ) -> list[Any]:
        """``lax.while_loop``, whose body is named after the user's line."""
        name = _LOOP + ":".join(map(str, where or ("an unknown line", 0))) + ">"
        bound = bind_while(test, body, start, name)
        if bound is not None:
            return bound

        def turn(state: Any) -> list[Any]:
            return self.inline(body, list(state))

        turn.__name__ = name
        return list(lax.while_loop(
            lambda state: self.inline(test, list(state))[0], turn, list(start)
        ))  # fmt: skip

    def record_scan(
        self, body: Any, start: Sequence[Any], sources: Sequence[Any], length: int, numbered: bool
    ) -> list[Any]:
        """``lax.scan``."""
        sources = [self.numbers(length), *sources] if numbered else sources
        bound = bind_scan(body, start, sources, length)
        if bound is not None:
            return bound

        def turn(state: Any, items: Any) -> Any:
            return self.inline(body, [*state, *items]), None

        state, _ = lax.scan(turn, list(start), list(sources), length=length)
        return list(state)

    # -- effects ----------------------------------------------------------------------------------

    def run_at(
        self, act: Callable[[list[Any]], object], values: Sequence[Any],
        guards: Sequence[Guard], raises: bool,
    ) -> None:
        """An ordered callback; a check where ``checkify`` looks for those."""
        if raises and _is_checkified():
            _check(act, values, guards)
            return
        expected = [taken for _, taken in guards]
        code = _traced_call.__code__.replace(co_name=f"autograph_effect_{next(_serial)}")
        call = FunctionType(code, globals())

        def callback(flags: Any, arrays: Any) -> None:
            if [bool(flag) for flag in flags] == expected:
                call(act, [np.asarray(array) for array in arrays])

        sharded = bool(jax.sharding.get_abstract_mesh().manual_axes)
        if sharded and guards:
            raise EffectError(
                "what is printed or raised depends on a staged value inside of 'shard_map'",
                where=user_line(),
                help="return the value, and print or raise outside",
            )
        flags = [flag for flag, _ in guards]
        _recorder(callback, not sharded)(flags, list(map(lax.stop_gradient, values)))


def _register_result(kind: type) -> None:
    jax.tree_util.register_pytree_node(kind, take_apart, lambda shape, parts: shape(parts))


for _kind in RESULTS:
    _register_result(_kind)
each_container_class(_register_result)

BACKEND = register(JaxBackend())
ad.primitive_transposes[lax.while_p] = _transposed_while
jax.errors.JaxRuntimeError.__new__ = staticmethod(_reported)
logging.getLogger(debugging.__name__).addFilter(
    lambda record: not (record.exc_info and record.exc_info[1] in _raised.values())
)
