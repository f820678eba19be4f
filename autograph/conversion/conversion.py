"""Converts functions, and caches the conversions.

There is one ``Converter`` per set of features.  Conversions are cached per code object by weak
references: a conversion dies with the user's function.  The parser, the analyses and the converters
are imported when the first function is converted.
"""

from __future__ import annotations

import builtins
import contextlib
import types
import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from autograph import flags
from autograph.diagnostics import verbosity
from autograph.errors import ConversionError, UnsupportedSyntaxError
from autograph.features import Feature
from autograph.staging.run_id import Run
from autograph.syntax.code_markers import (
    AG,
    Cells,
    VersionLink,
    is_converted,
    original_of,
    version_link_of,
)
from autograph.syntax.fork_safe_lock import fork_safe_lock
from autograph.syntax.recursion_limit import deep, stack_is_deep

if TYPE_CHECKING:
    from autograph.conversion.unstaged import Globals
    from autograph.pipeline import Converted
    from autograph.syntax.line_links import LinkedCode
    from autograph.syntax.load import Facts
    from autograph.syntax.source import SourceFunction


class StagedVersion:
    """Staged version of a code object, compiled when it is first needed.

    It must not refer to the unstaged version: the garbage collector does not traverse code objects.
    """

    def __init__(self, converter: Converter, original: types.FunctionType) -> None:
        from autograph.syntax.load import Facts
        from autograph.syntax.source import source_of

        code = original_of(original.__code__)
        self.converter = converter
        source = source_of(original)
        self.source: SourceFunction | None = source
        self.facts = Facts.of(code, source)
        self.globals = meaning_of(names_in(code), original.__globals__)
        self._tree: Converted | None = None
        self._code: types.CodeType | None = None

    def read(self) -> None:
        """Make the gast tree now, before the unstaged version changes Python's own.

        An error is raised by ``check``.
        """
        with contextlib.suppress(Exception):
            assert self.source is not None
            _ = self.source.node

    def check(self) -> None:
        """Compile now, so that ConversionError is raised here and not in the first call."""
        if self._code is None and self._tree is None:
            self._tree = self._converted()

    def code(self) -> types.CodeType:
        """Return the code of the staged version."""
        from autograph.syntax.load import load

        with self.converter.lock:
            if self._code is None:
                tree = self._tree or self._converted()
                with internal_faults(self.facts):
                    self._code = load(tree.node, self.facts, tree.generated)
                self.source = self._tree = None
            return self._code

    def function(
        self, namespace: dict[str, Any], cells: Cells, arguments: tuple[Any, ...] = ()
    ) -> types.FunctionType:
        """Return the staged version with these globals and cells, for a call with these arguments.
        """
        from autograph.syntax.load import function_of

        operators = self.converter.operators
        function = function_of(self.code(), namespace, cells, operators)
        operators.patch_reachable((function, *arguments))
        return function

    def _converted(self) -> Converted:
        assert self.source is not None
        with internal_faults(self.facts):
            is_builtin = self.globals.builtins.__contains__
            return self.converter.convert(self.source, is_builtin)


class Conversion:
    """Conversion of a code object: its staged version, and its unstaged version if it has one."""

    def __init__(self, converter: Converter, original: types.FunctionType, check: bool) -> None:
        self.staged = StagedVersion(converter, original)
        if check:
            self.staged.read()
        self._unstaged = self._make_unstaged(original_of(original.__code__))
        if self._unstaged is None:
            self.staged.code()

    def bind(self, original: types.FunctionType) -> types.FunctionType:
        """Return the conversion of a function: its unstaged version if it has one, else its staged
        one.
        """
        from autograph.syntax.load import bind

        code = self._unstaged or self.staged.code()
        return bind(code, original, self.staged.converter.operators)

    def _make_unstaged(self, code: types.CodeType) -> types.CodeType | None:
        from autograph.conversion.unstaged import make_unstaged
        from autograph.syntax.load import load_unstaged

        version = self.staged
        assert version.source is not None
        operators = version.converter.operators
        with internal_faults(version.facts):
            features, tree = version.converter.features, version.source.tree()
            unstaged = deep(lambda: make_unstaged(tree, version.facts, features, version.globals))
            half = VersionLink(version.function, Run)
            return unstaged and load_unstaged(unstaged, code, version.facts, operators, half)


class Converter:
    """Converts functions with one set of features."""

    def __init__(self, features: frozenset[Feature], operators: Any) -> None:
        self.features = features
        self.operators = operators
        self.lock = fork_safe_lock()
        self._codes: dict[
            int, tuple[weakref.ref[types.CodeType], Conversion | ConversionError]
        ] = {}
        self._pushed: dict[int, tuple[weakref.ref[types.CodeType], types.CodeType | None]] = {}
        _converters.add(self)

    def function(self, original: types.FunctionType, check: bool = True) -> types.FunctionType:
        """Convert a function; a converted function is returned as it is.

        Raises ConversionError when the source is not found or cannot be converted.  Without
        ``check`` some errors are raised only when the function first runs in a trace.
        """
        if is_converted(original.__code__) or _is_of_converted_file(original):
            return original
        return self._conversion(original, check).bind(original)

    def staged(self, original: types.FunctionType) -> types.FunctionType:
        """Return the staged version alone of a function without cells: it takes half the time."""
        version = StagedVersion(self, original).function(original.__globals__, {})
        version.__defaults__ = original.__defaults__
        version.__kwdefaults__ = original.__kwdefaults__
        return version

    def pushed(self, original: types.FunctionType) -> types.FunctionType | None:
        """Return the push-style conversion of a generator function; None if there is none."""
        from autograph.syntax.load import bind

        code = original.__code__
        with self.lock:
            key, pushed_code = id(code), self._pushed
            entry = pushed_code.get(key)
            if entry is None:
                gone = weakref.ref(code, lambda _: pushed_code.pop(key, None))
                entry = pushed_code[key] = gone, self._turned(original)
        return None if entry[1] is None else bind(entry[1], original, self.operators)

    def _turned(self, original: types.FunctionType) -> types.CodeType | None:
        from autograph.converters.generators import push
        from autograph.syntax.load import Facts, load
        from autograph.syntax.source import source_of

        try:
            source = source_of(original)
            if not push(source.node):
                return None
            facts = Facts.of(original.__code__, source)
            facts = facts._replace(freevars=tuple(n for n in facts.freevars if n != AG))
            with internal_faults(facts):
                tree = self.convert(source, builtin_test(original))
                return load(tree.node, facts, tree.generated)
        except ConversionError:
            return None

    def failure(self, code: types.CodeType) -> ConversionError | None:
        """Return the error of a conversion that failed before, else None."""
        entry = self._codes.get(id(code))
        return entry[1] if entry is not None and isinstance(entry[1], ConversionError) else None

    def text(self, original: types.FunctionType) -> str:
        """Return the source of the staged version."""
        from autograph.syntax.emit import emit

        source, node = self._printed(original)
        return deep(lambda: emit(node, source.comments))

    def linked(self, original: types.FunctionType) -> LinkedCode:
        """Return the source of a function and of its staged version, with links of their lines."""
        from autograph.syntax.emit import emit
        from autograph.syntax.line_links import linked

        source, node = self._printed(original)
        return deep(lambda: linked(source, node, emit(node, source.comments)))

    def _printed(self, original: types.FunctionType) -> tuple[SourceFunction, Any]:
        """Return the source of a function, and the tree of its staged version."""
        from autograph.syntax.load import Facts
        from autograph.syntax.source import source_of

        source = source_of(original)
        if _is_of_converted_file(original):
            return source, source.node
        with internal_faults(Facts.of(original.__code__, source)):
            return source, self.convert(source, builtin_test(original)).node

    def convert(self, source: SourceFunction, is_builtin: Callable[[str], bool]) -> Converted:
        """Run the conversion pipeline and return the tree of the staged version."""
        from autograph import pipeline

        return deep(lambda: pipeline.convert(source.node, self.features, is_builtin))

    def _conversion(self, original: types.FunctionType, check: bool) -> Conversion:
        code, codes = original_of(original.__code__), self._codes
        with self.lock:
            entry = codes.get(id(code))
            if entry is None:
                # a code object is converted once; an error is cached, too
                key = id(code)
                gone = weakref.ref(code, lambda _: codes.pop(key, None))
                conversion = self._try_conversion(original, check)
                if isinstance(conversion, ConversionError) and conversion.is_transient:
                    raise conversion
                entry = codes[key] = (gone, conversion)
            stored = entry[1]
            if isinstance(stored, ConversionError):
                raise stored.again()
            if check:
                stored.staged.check()
        return stored

    def _try_conversion(
        self, original: types.FunctionType, check: bool
    ) -> Conversion | ConversionError:
        try:
            conversion = Conversion(self, original, check)
            if flags.DUMP.value is not None:
                verbosity.dump(original, self.text(original))
            verbosity.note(original, "converted")
            if verbosity.shows_source():
                verbosity.note_source(original, self.text(original))
            return conversion
        except ConversionError as error:
            verbosity.note(original, f"left as it is: {error.message}")
            stored_error = error.again()
            stored_error.is_transient = error.is_transient
            if stored_error.__cause__ is not None:
                stored_error.__cause__ = stored_error.__cause__.with_traceback(None)
            return stored_error


@contextlib.contextmanager
def internal_faults(facts: Facts) -> Iterator[None]:
    """Turn unexpected exceptions in this block into a ConversionError that names the function."""
    try:
        yield
    except ConversionError:
        raise
    except RecursionError:
        failure = UnsupportedSyntaxError(
            f"{facts.qualname} contains statements that are nested too deeply",
            where=(facts.filename, facts.first_line),
            help="split the function into several; a table or a loop is shorter",
        )
        failure.is_transient = stack_is_deep()
        raise failure from None
    except Exception as error:
        raise ConversionError(
            f"{facts.qualname} could not be converted: {error!r}",
            where=(facts.filename, facts.first_line),
            help="this is a fault of autograph; please report it with the function",
        ) from error


def staged_version(function: types.FunctionType) -> types.FunctionType:
    """Return the staged version of a converted function; a function without one is returned as it
    is.

    Raises ConversionError when the staged version cannot be made.
    """
    link = version_link_of(function.__code__)
    if link is None:
        return function
    bound = link.bind(function)
    bound.__defaults__, bound.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return bound


_converters: weakref.WeakSet[Converter] = weakref.WeakSet()


def failure_of(code: types.CodeType) -> ConversionError | None:
    """Return why a converter could not convert a code object, or None."""
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


def names_in(code: types.CodeType) -> set[str]:
    """Return the names that a code object and those inside it use, the global ones among them."""
    names = set(code.co_names)
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            names |= names_in(const)
    return names


def meaning_of(names: set[str], namespace: Mapping[str, Any]) -> Globals:
    """Return which of the global names are builtins, and which are modules, at this moment."""
    from autograph.conversion.unstaged import Globals

    builtin = {name for name in names - namespace.keys() if hasattr(builtins, name)}
    modules = {name for name in names if type(namespace.get(name)) is types.ModuleType}
    return Globals(frozenset(builtin), frozenset(modules))


def builtin_test(function: types.FunctionType) -> Callable[[str], bool]:
    """Return a test of whether a global name currently means Python's builtin of that name."""
    namespace = function.__globals__

    def is_builtin(name: str) -> bool:
        return name not in namespace and hasattr(builtins, name)

    return is_builtin
