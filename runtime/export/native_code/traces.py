"""Traces of what is exported: functions, models, and saved models."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from runtime.export.objects import function_of
from runtime.export.saved_model import contains_saved_model, load
from runtime.export.signatures import DEFAULT
from runtime.functions.concrete_function import ConcreteFunction
from runtime.functions.decorator import function as traced


def trace_of(value: Any, signature: Sequence[Any] | None) -> tuple[Any, str]:
    """Return the trace that is exported, and a name for it.

    ValueError where there is none, or more than one.
    """
    if isinstance(value, str | os.PathLike):
        return _of_folder(os.fsdecode(value), signature)
    if isinstance(value, ConcreteFunction) or _is_restored(value):
        return value, getattr(value, "name", None) or "function"
    signatures = getattr(value, "signatures", None)
    if isinstance(signatures, Mapping) and signature is None:
        return _of_signatures(signatures)
    default = getattr(value, "_default_save_signature", None)
    if default is not None and signature is None:
        function = default()
        if function is None:
            raise ValueError(
                f"export.native: {value!r} does not know the shape of its inputs yet: build it, or "
                "give input_signature=[TensorSpec(...)]"
            )
        return trace_of(function, None)[0], getattr(value, "name", "model")
    function = function_of(value) or (traced(value) if callable(value) else None)
    if function is None:
        raise ValueError(f"export.native takes a function, a model or a saved model, got {value!r}")
    name = getattr(value, "__name__", None) or getattr(value, "name", None) or "function"
    return _of_function(function, signature, name), name


def _is_restored(value: Any) -> bool:
    return hasattr(value, "graph") and hasattr(value, "structured_outputs")


def _of_folder(path: str, signature: Sequence[Any] | None) -> tuple[Any, str]:
    if not contains_saved_model(path):
        raise ValueError(f"export.native: {path!r} is no folder of a saved model")
    return trace_of(load(path), signature)[0], os.path.basename(os.path.abspath(path))


def _of_signatures(signatures: Mapping[str, Any]) -> tuple[Any, str]:
    if DEFAULT in signatures:
        return signatures[DEFAULT], DEFAULT
    if len(signatures) != 1:
        names = ", ".join(signatures) or "none"
        raise ValueError(
            f"export.native: the saved model has the signatures {names}; pass one of them, as in "
            "model.signatures['name']"
        )
    ((name, trace),) = signatures.items()
    return trace, name


def _of_function(function: Any, signature: Sequence[Any] | None, name: str) -> Any:
    if signature is not None:
        return function.get_concrete_function(*signature)
    if function.input_signature is not None:
        return function.get_concrete_function()
    traces = function._all()
    if len(traces) != 1:
        raise ValueError(
            f"export.native: {name}() has {len(traces)} traces, and must have one: give "
            "input_signature=[TensorSpec(...), ...], or pass f.get_concrete_function(...)"
        )
    return traces[0]
