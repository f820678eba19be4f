"""Traces of functions that the command line names, for arguments that its SPECs say.

Used by ``graph`` and ``build``.  Part of the command line, so it may import the runtime.
"""

from __future__ import annotations

import inspect
from typing import Any

from autograph.cli import run_script
from autograph.cli.compare_modes import Arguments, argument, arguments_of
from autograph.cli.specs import spec_of
from autograph.conversion.module_source import FileError
from autograph.errors import ConversionError


def traced(specs: list[str], file: str, name: str, value: Any) -> Any:
    """Return the concrete function of a callable; None when the user's program failed, after
    printing the error.
    """
    import runtime

    python = getattr(value, "python_function", value)
    arguments = arguments_of(specs, python, _value)
    declared = getattr(value, "input_signature", None)
    if declared is None or specs:
        _check(arguments, python, file, name)
    function = value
    if not hasattr(value, "get_concrete_function"):
        function = runtime.function(value, autograph=True)
    try:
        return function.get_concrete_function(*arguments.positional, **arguments.keywords)
    except ConversionError as error:
        if error.where is None:
            raise FileError(" ".join(str(error).split()), file) from None
        run_script.report(error, file)
    except Exception as error:
        run_script.report(error, file)
    return None


def _value(text: str) -> Any:
    """Return the spec or the Python literal that a text writes; FileError if it is neither."""
    import runtime

    spec = spec_of(text)
    if spec is not None:
        return runtime.TensorSpec(spec.sizes, runtime.as_dtype(spec.dtype))
    value = argument(text)
    if isinstance(value, str) and value == text:
        raise FileError(
            "is neither a spec such as f32[3,?] nor a Python literal; quote a text twice: "
            f"'\"{text}\"'", text
        )  # fmt: skip
    return value


def _check(arguments: Arguments, function: Any, file: str, name: str) -> None:
    """Raise FileError when the arguments do not fit the parameters."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # a callable of C: the call tells
    try:
        signature.bind(*arguments.positional, **arguments.keywords)
    except TypeError as error:
        raise FileError(
            f"{name}{signature} does not take these arguments: {error}; give a SPEC such as "
            "f32[3,?], int32[] or a Python literal for each", file
        ) from None  # fmt: skip
