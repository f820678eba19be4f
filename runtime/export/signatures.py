"""Signatures of a saved model: functions of named tensors that give named tensors."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from runtime.export.objects import function_of
from runtime.export.traces import check_savable
from runtime.functions.concrete_function import ConcreteFunction
from runtime.types import nest, treedef
from runtime.types.composite import CompositeSpec
from runtime.types.shapes import TensorSpec
from runtime.types.value import Value

DEFAULT = "serving_default"


def signatures_of(root: Any, choice: Any) -> dict[str, ConcreteFunction]:
    """Return the traces that become signatures, by name.

    Without a choice, it is the only function of the object that has an input signature, if its
    results can be named.  ValueError for what is no function, and for functions with several
    traces; TypeError for another kind of choice.
    """
    if choice is None:
        only = _only_signature(root)
        return {} if only is None else {DEFAULT: only}
    named = choice if isinstance(choice, Mapping) else {DEFAULT: choice}
    traces = {}
    for name, value in named.items():
        if not isinstance(name, str):
            raise TypeError(f"signatures has the key {name!r}; the names of signatures are texts")
        traces[name] = _trace_of(value, name)
    return traces


def _trace_of(value: Any, name: str) -> ConcreteFunction:
    """Return the one trace of a function."""
    if isinstance(value, ConcreteFunction):
        return value
    function = function_of(value)
    if function is None:
        raise ValueError(
            f"the signature {name!r} must be a function of runtime.function or a concrete "
            f"function, got {value!r}"
        )
    if function.input_signature is not None:
        return function.get_concrete_function()
    traces = function._all()
    if len(traces) != 1:
        raise ValueError(
            f"the signature {name!r}, {function.name}(), has {len(traces)} traces, and must have "
            "one: give runtime.function an input_signature, or pass "
            "f.get_concrete_function(...) with a TensorSpec for each tensor"
        )
    return traces[0]


def _only_signature(root: Any) -> ConcreteFunction | None:
    default_signature = getattr(root, "_default_save_signature", None)
    if default_signature is not None:
        function = default_signature()
        return None if function is None else _trace_of(function, DEFAULT)
    functions = [
        function for name in dir(root)
        if (function := function_of(_attribute(root, name))) is not None
        and function.input_signature is not None
    ]  # fmt: skip
    traces = [trace for f in {id(f): f for f in functions}.values() for trace in [_trace_of(f, "")]]
    valid = [trace for trace in traces if _fault(trace) is None]
    return valid[0] if len(valid) == 1 else None


def _attribute(root: Any, name: str) -> Any:
    value = inspect.getattr_static(root, name, None)
    return getattr(root, name) if function_of(value) is not None else None


def _fault(trace: ConcreteFunction) -> str | None:
    """Return what keeps a trace from being a signature."""
    for name, _, value in trace._arguments.entries:
        for leaf in nest.flatten(value):
            if isinstance(leaf, CompositeSpec):
                return f"its argument {name!r} is {leaf!r}; a signature takes tensors"
    names = input_names(trace)
    if len(set(names)) < len(names):
        return f"two of its tensors are called {next(n for n in names if names.count(n) > 1)!r}"
    result = trace.structured_outputs
    if isinstance(result, Mapping):
        keys = [key for key in result if not isinstance(key, str)]
        if keys:
            return f"its result has the key {keys[0]!r}, which is no text"
        results = list(result.values())
    else:
        results = list(result) if isinstance(result, list | tuple) else [result]
    for output in results:
        if output is not None and not isinstance(output, Value):
            return f"its result holds {output!r}; a signature returns a dict or a list of tensors"
    return None


def input_names(trace: ConcreteFunction) -> list[str]:
    """Return the names of the tensors that a signature takes."""
    return [tensor.op.name.replace(".", "_") for tensor in trace.inputs]


def signature_entry(name: str, trace: ConcreteFunction, graph: str) -> dict[str, Any]:
    """Return the entry of a signature; ValueError for a trace that cannot be one."""
    check_savable(trace, f"the signature {name!r}")
    fault = _fault(trace)
    if fault is not None:
        raise ValueError(f"{trace.name}() cannot be the signature {name!r}: {fault}")
    result = trace.structured_outputs
    if isinstance(result, Mapping):
        keys = sorted(key for key, value in result.items() if value is not None)
    else:
        results = treedef.flatten(result)[0]
        keys = [f"output_{i}" for i, output in enumerate(results) if output is not None]
    return {"graph": graph, "inputs": input_names(trace), "outputs": keys}


def parameters_of(names: Any) -> inspect.Signature:
    """Return the signature of a function that takes tensors by name; ValueError for other names."""
    return inspect.Signature([
        inspect.Parameter(_as_parameter(name), inspect.Parameter.KEYWORD_ONLY) for name in names
    ])  # fmt: skip


def _as_parameter(name: Any) -> str:
    if not isinstance(name, str) or not name.isidentifier():
        raise ValueError(f"{name!r} is no name of a tensor")
    return name


def spec_arguments(names: Any, inputs: Any) -> dict[str, TensorSpec]:
    """Return TensorSpecs for the tensors of a signature."""
    return {
        name: TensorSpec(tensor.shape, tensor.dtype, name)
        for name, tensor in zip(names, inputs, strict=True)
    }
