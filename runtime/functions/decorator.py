"""The decorator ``function``: TensorFlow's arguments, turned into what function.py works with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph import Feature
from runtime.functions.function import Function, FunctionOptions

__all__ = ["function", "jit"]


def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: str | None = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Any = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
    stage_numbers: bool = False,
) -> Any:
    """Run a Python function as a graph: ``function(f)``, ``@function`` or ``@function(...)``.

    The function is traced once for each combination of its arguments' types: tensors and NumPy
    arrays count by dtype and shape, Python values by value, objects by identity.  With
    ``autograph`` its control flow on tensors is staged; Python's side effects happen while tracing.
    ``explain()`` of the result says why each trace was made.

    Args:
        func: a function, method, lambda, partial or callable object; None gives a decorator.
        input_signature: TensorSpecs (nests of them) of the arguments: one trace for all calls.
        autograph: whether to convert the function.
        jit_compile: accepted; graphs run on the reference executor.
        reduce_retracing: whether sizes that change from call to call become unknown.
        experimental_implements: a name of what the function implements; noted.
        experimental_autograph_options: a Feature or several to add: Feature.PRINT, or
            BUILTIN_FUNCTIONS, which includes it, prints at run time.
        experimental_attributes: a dict that is noted.
        experimental_relax_shapes: the old name of ``reduce_retracing``.
        experimental_compile: the old name of ``jit_compile``.
        experimental_follow_type_hints: whether arguments that are annotated as ``Tensor`` become
            tensors, and those annotated with a TensorSpec are traced as that says.
        stage_numbers: whether Python numbers, texts and lists among the arguments are staged, too;
            see ``jit``.

    Raises TypeError for what is not callable, for an input signature that holds anything but
    TensorSpecs or does not fit the parameters, and for an option that is no Feature.
    """
    options = FunctionOptions(
        input_signature,
        autograph,
        experimental_compile if jit_compile is None else jit_compile,
        reduce_retracing or bool(experimental_relax_shapes),
        experimental_implements,
        tuple(Feature.added(experimental_autograph_options)),
        experimental_attributes,
        bool(experimental_follow_type_hints),
        stage_numbers,
    )

    def decorate(inner: Callable[..., Any]) -> Function:
        return Function(inner, options)

    return decorate if func is None else decorate(func)


def jit(func: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Run a function of plain Python values as a graph: ``jit(f)``, ``@jit`` or ``@jit(...)``.

    Python ints, floats, complex numbers, bools and texts among the arguments, and lists, tuples and
    dicts of them, are staged with Python's own arithmetic: ``int / int`` is a float, and an int
    beyond 64 bits is an OverflowError.  There is one trace for the types of the arguments, not for
    their values: a list of numbers counts by the type of its items, a tuple and a dict by that of
    each.  NumPy arrays and tensors count by dtype and shape.

    Numbers, texts, lists and arrays go out as Python's and NumPy's own.  What the function does to
    a list or dict among its arguments is done to the caller's.  ``print`` prints on each call.

    Args:
        func: a function, method, lambda, partial or callable object; None gives a decorator.
        options: those of ``function``.

    Raises what ``function`` raises; a call raises OverflowError for an int of more than 64 bits.
    """
    options.setdefault("experimental_autograph_options", Feature.BUILTIN_FUNCTIONS)
    return function(func, stage_numbers=True, **options)
