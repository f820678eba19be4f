"""Callables written in C that are given staged lists, dicts and sets.

    list.copy(v)             =>  ag__.call(list.copy)(v)           the method of the staged list
    array.array("q", v)      =>  ag__.call(array.array)("q", v)    ConcreteValueError

Code written in C may read the storage that Python has for a list, in which the items of a staged
one are not.  ``calls`` and ``builtins`` look here for such callables while a backend records.
"""

from __future__ import annotations

import functools
import operator
import types
import weakref
from collections.abc import Callable, Iterable
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError, StagingError
from autograph.operators.calls import array_methods, list_methods
from autograph.operators.containers import map_ops
from autograph.operators.iteration.comparisons import eq, in_, not_eq
from autograph.operators.state.special_methods import is_users
from autograph.staging.registry import staging_backend, tracing_backend
from autograph.staging.staged_list import Seen, StagedList, kind_of
from autograph.staging.staged_list import length as length_of_list
from autograph.staging.staged_map import StagedMap
from autograph.staging.staged_string import StagedText
from autograph.staging.staged_union import StagedUnion

_COLLECTIONS = (list, dict, set)
_DEPTH = 8
_OF_VALUES = (str, bytes, bytearray, int, float)
"""Classes whose class methods, such as ``str.maketrans``, need the values themselves."""
_VALUES = (str, int, float, complex, bytes)
"""Classes whose objects hold a value of Python's own: a staged one would be its description."""
_KEEPING = (
    object, BaseException, functools.partial, types.SimpleNamespace, types.MethodType,
    types.FunctionType, types.CellType, slice, staticmethod, classmethod, property, super, type,
    weakref.ref,
)  # fmt: skip
"""Classes written in C that keep their arguments as they are."""

_RUNNING = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType, str, type)
"""Classes whose methods pass their arguments on, or are replaced elsewhere."""

_ASK_THE_OBJECT = (
    functools.partial, operator.itemgetter, operator.attrgetter, operator.methodcaller,
    weakref.ref, staticmethod,
)  # fmt: skip
"""Classes of callable objects that use the methods of what they are given."""


_CONCRETE = frozenset((
    "_decimal", "_hashlib", "_json", "_pydecimal", "_pickle", "_struct", "base64", "binascii",
    "calendar", "csv", "datetime", "decimal", "difflib", "fnmatch", "fractions", "genericpath",
    "glob", "hashlib", "hmac", "html", "ipaddress", "json", "locale", "marshal", "ntpath", "os",
    "pathlib", "pickle", "plistlib", "posixpath", "pprint", "re", "reprlib", "shlex", "shutil",
    "statistics", "struct", "textwrap", "unicodedata", "urllib", "uuid", "zlib",
))  # fmt: skip
"""Modules of the standard library that need the value itself, and may hide the error if not."""


_BYTES = (bytes, bytearray, memoryview)


def needs_values(function: Any) -> bool:
    """Whether a function or class, or its module, can do nothing with staged values."""
    if function in _BYTES:
        return True
    module = getattr(function, "__module__", None)
    return isinstance(module, str) and module.partition(".")[0] in _CONCRETE


def _public(module: str) -> str:
    """Return the name that users import: ``math`` for ``_math``, ``pathlib`` for its parts."""
    names = [name for name in module.split(".") if not name.startswith("_")]
    return module if module == "__main__" else ".".join(names) or module.lstrip("_")


def refusing(function: Any, name: str = "") -> Callable[..., Any]:
    """Return a callable written in C that refuses staged lists, dicts and sets.

    Without a ``name`` it is a callable of a module that refuses all staged values.
    """
    of_values = not name
    module = _public(getattr(function, "__module__", None) or "builtins")
    prefix = "" if module in ("builtins", "__main__") else f"{module}."
    name = name or f"{prefix}{function.__qualname__}"

    def call(*args: Any, **kwargs: Any) -> Any:
        arguments = (*args, *kwargs.values())
        refuse(arguments, name, of_values)
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            if isinstance(error, StagingError) or not _speaks_of(error, arguments):
                raise
            raise _needs_value_error(name, next(filter(_is_staged, arguments), None)) from error

    with_name = functools.wraps(
        function, assigned=("__name__", "__qualname__", "__doc__"), updated=()
    )
    return with_name(call)


def refuse(arguments: Iterable[Any], name: str, of_values: bool = False) -> None:
    """Raise ConcreteValueError if an argument is a staged list, dict or set, or holds one.

    ``of_values`` refuses all staged values.
    """
    for value in arguments:
        refused = _first(_is_staged if of_values else _is_container, value)
        if refused is not None:
            raise _needs_value_error(name, refused)


def _needs_value_error(name: str, value: Any) -> ConcreteValueError:
    if _is_container(value):
        description = f"a {kind_of(value).__name__} whose items are known only at run time"
    else:
        description = "a staged value, which is known only at run time"
    return ConcreteValueError(
        f"{name}() is not staged and got {description}",
        where=user_line(),
        help="write it in Python, with the methods and operators of the value, or call it outside "
        "of the staged function",
    )


def _speaks_of(error: TypeError, arguments: Iterable[Any]) -> bool:
    """Whether an error names the class of a staged argument, which a program never sees."""
    text = str(error)
    return any(_is_staged(value) and type(value).__name__ in text for value in arguments)


def _is_container(value: Any) -> bool:
    return isinstance(value, StagedList | StagedMap)


def _is_staged(value: Any) -> bool:
    if isinstance(value, StagedList | StagedMap | StagedText | StagedUnion):
        return True
    return staging_backend(value) is not None


def _first(test: Callable[[Any], bool], value: Any, depth: int = 0) -> Any:
    """Return the first value inside a value that passes a test, or None."""
    if test(value):
        return value
    items: Iterable[Any] = ()
    if depth < _DEPTH and kind_of(value) in (list, tuple):
        items = value
    elif depth < _DEPTH and kind_of(value) is dict:
        items = dict.values(value)
    inside = (_first(test, item, depth + 1) for item in items)
    return next((match for match in inside if match is not None), None)


# -- methods ---------------------------------------------------------------------------------------


def unbound_method(function: Any, resolve: Callable[[Any], Any]) -> Any:
    """Return what to call instead of a method that a class written in C has: ``list.copy``.

    ``resolve`` returns what to call instead of the same method of an object.
    """
    owner, name = function.__objclass__, function.__name__
    if issubclass(owner, (*_COLLECTIONS, tuple, frozenset, int, float, complex, str)):

        def method(*args: Any, **kwargs: Any) -> Any:
            if args and isinstance(args[0], owner):
                if is_users(type(args[0])):  # the base's method of an object of a subclass
                    return resolve(function.__get__(args[0]))(*args[1:], **kwargs)
                if kind_of(args[0]) in _COLLECTIONS:
                    return resolve(getattr(args[0], name))(*args[1:], **kwargs)
            refuse((*args, *kwargs.values()), f"{owner.__name__}.{name}")
            return function(*args, **kwargs)

        return method
    return function if _keeps(owner, name) else refusing(function, f"{owner.__name__}.{name}")


def special_method(function: Any) -> Any:
    """Return what to call instead of a special method of an object: ``v.__len__``."""
    holder, name = function.__self__, function.__name__
    if isinstance(holder, _COLLECTIONS) and name in _OPERATORS:
        return functools.partial(_OPERATORS[name], holder)
    owner = getattr(function, "__objclass__", type(holder))
    return function if _keeps(owner, name) else refusing(function, f"{owner.__name__}.{name}")


def python_method(function: types.MethodType) -> Any:
    """Return what to call instead of a method written in Python.

    It is a special method of a staged list, dict or set, or of a module that needs values.
    """
    holder, name = function.__self__, function.__name__
    if _is_container(holder) and name in _OPERATORS:
        return functools.partial(_OPERATORS[name], holder)
    return refusing(function) if needs_values(function) else function


def bound_method(function: types.BuiltinFunctionType) -> Any:
    """Return what to call instead of a method of an object of a class written in C."""
    holder = function.__self__
    if isinstance(holder, type):
        if holder in _OF_VALUES or (function.__name__ == "__new__" and issubclass(holder, _VALUES)):
            return refusing(function)
        if function.__name__ != "__new__" or _keeps_arguments(holder):
            return function
        return refusing(function, holder.__name__)
    if isinstance(holder, _RUNNING):
        return function
    refused = refusing(function, f"{type(holder).__name__}.{function.__name__}")
    backend = tracing_backend()
    if backend is not None and isinstance(holder, backend.array_types):
        return array_methods.method(function, refused, backend)
    return refused


def _keeps(owner: type, name: str) -> bool:
    return issubclass(owner, _KEEPING[1:]) or owner is object or name in _STORING


def _length(holder: Any) -> Any:
    if isinstance(holder, StagedMap):
        return map_ops.length(holder)
    return length_of_list(holder) if isinstance(holder, StagedList) else len(holder)


_STORING = ("__call__", "__delattr__", "__get__", "__getattribute__", "__setattr__", "__setitem__")
"""Special methods that keep their arguments as they are or pass them on."""

_OPERATORS: dict[str, Callable[..., Any]] = {
    "__contains__": lambda holder, item: in_(item, holder),
    "__eq__": eq, "__len__": _length, "__ne__": not_eq,
}  # fmt: skip


# -- classes and objects ---------------------------------------------------------------------------


def made_in_c(cls: type, construct: Any) -> Any:
    """Return what to call instead of a class, which refuses staged containers if it reads them.

    ``construct`` is what is called otherwise.
    """
    if needs_values(cls) or (issubclass(cls, _VALUES) and not _keeps_arguments(cls)):
        return refusing(cls)
    return construct if _keeps_arguments(cls) else refusing(construct, cls.__name__)


def _keeps_arguments(cls: type) -> bool:
    """Whether the constructors of a class keep their arguments as they are, or are in Python."""
    for name in ("__init__", "__new__"):
        owner = next(base for base in cls.__mro__ if name in vars(base))
        in_python = isinstance(vars(owner)[name], types.FunctionType | staticmethod)
        if not in_python and owner not in _KEEPING and not issubclass(owner, _KEEPING[1:]):
            return False
        if in_python:
            return True
    return True


def called_object(value: Any) -> Any:
    """Return what to call instead of an object whose ``__call__`` is written in C."""
    if isinstance(value, _ASK_THE_OBJECT) or type(type(value)) is Seen:
        return value
    return refusing(value, getattr(value, "__qualname__", type(value).__name__))


def _length_hint(holder: Any, default: int = 0, /) -> Any:
    """``operator.length_hint(holder, default)``."""
    return _length(holder) if _is_container(holder) else operator.length_hint(holder, default)


def _contains(holder: Any, item: Any, /) -> Any:
    """``operator.contains(holder, item)``."""
    return in_(item, holder)


def _count_of(holder: Any, item: Any, /) -> Any:
    """``operator.countOf(holder, item)``."""
    if isinstance(holder, StagedList):
        return list_methods.count(holder, item)
    return operator.countOf(holder, item)


def _index_of(holder: Any, item: Any, /) -> Any:
    """``operator.indexOf(holder, item)``."""
    if isinstance(holder, StagedList):
        message = "sequence.index(x): x not in sequence"
        return list_methods.index(holder, item, 0, None, message)
    return operator.indexOf(holder, item)


STAND_INS: dict[Any, Callable[..., Any]] = {
    operator.contains: _contains, operator.countOf: _count_of, operator.indexOf: _index_of,
    operator.length_hint: _length_hint,
}  # fmt: skip
