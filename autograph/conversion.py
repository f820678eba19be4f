"""From a function to its converted counterpart, and the cache of conversions.

``Converter`` is made once per set of features.  Converted code is cached per code object, weakly:
when the user's function goes, so does its conversion.  The machinery of conversion - parser,
analyses, converters - is imported with the first function that is converted.
"""

from __future__ import annotations

import builtins
import threading
import types
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING

from autograph import dumps, flags
from autograph.errors import ConversionError, UnsupportedSyntaxError
from autograph.features import Feature
from autograph.syntax.depth import deep
from autograph.syntax.marks import is_converted
from autograph.syntax.names import AG

if TYPE_CHECKING:
    from autograph.pipeline import Converted
    from autograph.syntax.load import ConvertedCode
    from autograph.syntax.source import SourceFunction


class Converter:
    """Converts functions with one set of features."""

    def __init__(self, features: frozenset[Feature], operators: object) -> None:
        self.features = features
        self.operators = operators
        self._codes: dict[
            int, tuple[weakref.ref[types.CodeType], ConvertedCode | ConversionError]
        ] = {}
        self._lock = threading.RLock()
        _converters.add(self)

    def function(self, original: types.FunctionType) -> types.FunctionType:
        """The converted counterpart of a function; itself when it is converted already.

        Raises ConversionError when it has no source or cannot be converted.
        """
        code = original.__code__
        if is_converted(code) or _is_of_converted_file(original):
            return original
        return self._code(original).bind(original, self.operators)

    def failure(self, code: types.CodeType) -> ConversionError | None:
        """Why a code object could not be converted, when that was tried."""
        entry = self._codes.get(id(code))
        return entry[1] if entry is not None and isinstance(entry[1], ConversionError) else None

    def text(self, original: types.FunctionType) -> str:
        """The source of the converted counterpart."""
        from autograph.syntax.emit import emit
        from autograph.syntax.source import source_of

        source = source_of(original)
        if _is_of_converted_file(original):
            return emit(source.node, source.comments)
        converted = self._convert(source, original)
        return emit(converted.node, source.comments)

    def _code(self, original: types.FunctionType) -> ConvertedCode:
        code = original.__code__
        with self._lock:
            entry = self._codes.get(id(code))
            loaded = entry[1] if entry is not None else self._remember(original)
        if isinstance(loaded, ConversionError):
            raise loaded.again()
        return loaded

    def _remember(self, original: types.FunctionType) -> ConvertedCode | ConversionError:
        """Convert a code object, or learn why it cannot be, once in its life."""
        from autograph.syntax.emit import emit
        from autograph.syntax.load import load
        from autograph.syntax.source import source_of

        code, codes = original.__code__, self._codes
        loaded: ConvertedCode | ConversionError
        try:
            source = source_of(original)
            converted = self._convert(source, original)
            if flags.DUMP.value is not None:
                dumps.dump(original, emit(converted.node, source.comments))
            loaded = load(converted.node, code, source.class_name, converted.generated)
            dumps.note(original, "converted")
        except (ConversionError, RecursionError) as error:
            if isinstance(error, RecursionError):
                error = _too_deep(original)
            loaded = error.again()
            if loaded.__cause__ is not None:
                loaded.__cause__ = loaded.__cause__.with_traceback(None)
            dumps.note(original, f"left as it is: {error.message}")
        key = id(code)
        codes[key] = (weakref.ref(code, lambda _: codes.pop(key, None)), loaded)
        return loaded

    def _convert(
        self, source: SourceFunction, original: types.FunctionType
    ) -> Converted:
        from autograph import pipeline

        try:
            is_builtin = builtin_test(original)
            return deep(lambda: pipeline.convert(source.node, self.features, is_builtin))
        except ConversionError:
            raise
        except RecursionError:
            raise _too_deep(original) from None
        except Exception as error:
            raise ConversionError(
                f"{original.__qualname__} could not be converted: {error!r}",
                where=(source.filename, source.first_line),
                help="this is a fault of autograph; please report it with the function",
            ) from error


def _too_deep(function: types.FunctionType) -> UnsupportedSyntaxError:
    code = function.__code__
    return UnsupportedSyntaxError(
        f"{code.co_qualname} holds statements nested too deeply",
        where=(code.co_filename, code.co_firstlineno),
        help="split the function into several; a table or a loop is shorter",
    )


_converters: weakref.WeakSet[Converter] = weakref.WeakSet()


def failure_of(code: types.CodeType) -> ConversionError | None:
    """Why some converter could not convert a code object, or None."""
    failures = (converter.failure(code) for converter in tuple(_converters))
    return next((failure for failure in failures if failure is not None), None)


def _is_of_converted_file(function: types.FunctionType) -> bool:
    """Whether a function was written to a converted file, and refers to its operators."""
    operators = getattr(function.__globals__.get(AG), "converter", None)
    return isinstance(operators, Converter) and _mentions(function.__code__, AG)


def _mentions(code: types.CodeType, name: str) -> bool:
    """Whether a code object, or one inside it, uses a global name."""
    inner = (const for const in code.co_consts if isinstance(const, types.CodeType))
    return name in code.co_names or any(_mentions(const, name) for const in inner)


def builtin_test(function: types.FunctionType) -> Callable[[str], bool]:
    """Whether a global name means Python's builtin of that name, as things stand."""
    namespace = function.__globals__

    def is_builtin(name: str) -> bool:
        return name not in namespace and hasattr(builtins, name)

    return is_builtin
