"""Decorator ``function``: TensorFlow's arguments, translated to the options of function.py."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Generic,
    Literal,
    ParamSpec,
    Protocol,
    TypeVar,
    overload,
)

from autograph import Feature
from runtime.functions.function import Function
from runtime.functions.options import FunctionOptions
from runtime.types.flags import JIT_STRICT

__all__ = ["function", "jit"]

if TYPE_CHECKING:  # at run time it is a Function
    P = ParamSpec("P")
    Rest = ParamSpec("Rest")
    R_co = TypeVar("R_co", covariant=True)
    S = TypeVar("S")

    class TypedFunction(Function, Generic[R_co, P]):
        """``Function`` as editors and type checkers see it: with the function's own signature."""

        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...
        @property
        def python_function(self) -> Callable[P, R_co]: ...

        @overload  # type: ignore[no-overload-impl]
        def __get__(self, instance: None, owner: type) -> TypedFunction[R_co, P]: ...
        @overload
        def __get__(
            self: TypedFunction[R_co, Concatenate[S, Rest]], instance: S, owner: type | None = None
        ) -> TypedFunction[R_co, Rest]: ...

    class Decorator(Protocol):
        """What ``function`` and ``jit`` return without a function."""

        def __call__(self, func: Callable[P, R_co], /) -> TypedFunction[R_co, P]: ...


@overload
def function(func: Callable[P, R_co], *args: Any, **options: Any) -> TypedFunction[R_co, P]: ...


@overload
def function(
    func: None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | Literal["xla"] | None = None,
    reduce_retracing: bool = False,
    experimental_implements: str | None = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Any = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
    stage_numbers: bool = False,
    strict: bool = True,
) -> Decorator: ...


def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | Literal["xla"] | None = None,
    reduce_retracing: bool = False,
    experimental_implements: str | None = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Any = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
    stage_numbers: bool = False,
    strict: bool = True,
) -> Any:
    """Compile a Python function into graphs: ``function(f)``, ``@function`` or ``@function(...)``.

    A call with new types of arguments traces the Python function into a graph; later calls with
    the same types run that graph.  The type of a tensor or NumPy array is its dtype and shape,
    that of a Python value is the value, that of an object its identity.  With ``autograph``,
    control flow that depends on tensors is staged.  Python's side effects happen while tracing.

    Args:
        func: callable object; None returns a decorator.
        input_signature: tuple or list with a (nest of) TensorSpec for each argument, to which
            arguments are converted; all calls then share one trace.
        autograph: whether to convert Python control flow.
        jit_compile: whether the graphs become machine code (the extra ``jit``): True compiles
            them at the first run, False never; None if that pays, or as RUNTIME_JIT says; "xla":
            they run on XLA where it can (the extra ``xla``).
        reduce_retracing: whether sizes that differ between calls become unknown in new traces.
        experimental_autograph_options: a Feature or several to add: Feature.PRINT, or
            BUILTIN_FUNCTIONS, which includes it, prints at run time.
        experimental_implements, experimental_attributes: stored only.
        experimental_relax_shapes, experimental_compile: former names of two others.
        experimental_follow_type_hints: whether arguments annotated as ``Tensor`` are converted to
            tensors, and arguments annotated with a TensorSpec are traced with that spec.
        stage_numbers: whether numbers, strings and lists among the arguments are staged (``jit``).
        strict: whether what cannot be staged raises, and never runs as plain Python (``jit``).

    Returns:
        A ``Function``, called like ``func``, whose ``explain()`` says why it was traced.

    Raises:
        TypeError: ``func`` is not callable, or an option or the input signature does not fit.
        ValueError: options contradict each other, or ``jit_compile`` is another text.
        UnimplementedError: in a call, with ``jit_compile=True``, if no machine code can be made.
    """
    options = FunctionOptions(
        input_signature,
        autograph,
        experimental_compile if jit_compile is None else jit_compile,
        reduce_retracing or bool(experimental_relax_shapes),
        experimental_implements,
        tuple(Feature.added(experimental_autograph_options)),
        experimental_attributes,
        bool(experimental_follow_type_hints), stage_numbers, strict,
    )  # fmt: skip
    decorate = partial(_function_class(options), options=options)
    return decorate if func is None else decorate(func)


def _function_class(options: FunctionOptions) -> type[Function]:
    """Return the class of a function; ValueError for options that contradict each other."""
    if isinstance(options.jit_compile, str) and options.jit_compile != "xla":
        raise ValueError(
            f"jit_compile must be True, False, None or 'xla', got {options.jit_compile!r}"
        )
    if options.strict:
        return Function
    if options.jit_compile or not options.stage_numbers:
        raise ValueError(
            "strict=False lets calls run as plain Python: it needs stage_numbers=True, and "
            "jit_compile other than True"
        )
    from runtime.functions.choice.jit_function import JitFunction  # costs an import

    return JitFunction


@overload
def jit(
    func: Callable[P, R_co], *, strict: bool = False, **options: Any
) -> TypedFunction[R_co, P]: ...


@overload
def jit(func: None = None, *, strict: bool = False, **options: Any) -> Decorator: ...


def jit(func: Callable[..., Any] | None = None, *, strict: bool = False, **options: Any) -> Any:
    """Speed up a function of plain Python values: ``jit(f)``, ``@jit`` or ``@jit(...)``.

    Calls give what plain Python gives.  They begin as plain Python; once they have taken as long
    as staging does, or where the arguments promise a long call, the function is staged as a graph
    and becomes machine code (the extra ``jit``), which stays if it is measured to be faster.  What
    cannot be staged runs as plain Python: a ``JitWarning``, once for a function, names the line and
    the reason, and ``explain()`` shows the times of both.  Under a tape, and in a function that is
    staged itself, calls are staged or refused.

    Python ints, floats, complex numbers, bools and strings among the arguments, and lists, tuples
    and dicts of them, are staged with Python's arithmetic: ``int / int`` is a float.  Traces depend
    on the types of the arguments, not on their values: the type of a list is that of its items, the
    type of a tuple or dict that of each item.  NumPy arrays and tensors count by dtype and shape.

    Results are Python numbers, strings, lists and NumPy arrays.  Changes of a list or dict among
    the arguments are written back to the caller's.  ``print`` prints on each call.

    Args:
        func: function, method, lambda, partial or callable object; None returns a decorator.
        strict: whether every call is staged, and what cannot be staged raises; so it is with
            ``jit_compile=True``, too.
        options: those of ``function``.

    Returns:
        Function of the same arguments, or a decorator.

    Raises:
        OverflowError: in a staged call that is strict, for an int of more than 64 bits.
        Also raises what the function raises, and, where calls are staged, what ``function`` does.
    """
    options.setdefault("experimental_autograph_options", Feature.BUILTIN_FUNCTIONS)
    strict = strict or bool(options.get("jit_compile")) or JIT_STRICT.value
    return function(func, stage_numbers=True, strict=strict, **options)
