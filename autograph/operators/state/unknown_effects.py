"""Check of calls that may have effects which are not known.

Where every call has to do what plain Python does, tracing must not do such a thing in its place.
And a backend may trace a call tentatively: where the trace is refused, the call is made again, as
plain Python.  Then only such code may run as a trace can undo or repeat: the user's own, whose
objects the heap remembers, and functions of libraries that are known to compute only.
"""

from __future__ import annotations

import io
import types
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.operators.state.skip_list import is_skipped
from autograph.syntax.thread_setting import ThreadSetting

refuse_unknown_effects = ThreadSetting(False)
"""``with refuse_unknown_effects(True)``: what is traced within the block may be made again."""

_COMPUTING = frozenset((
    "builtins", "math", "cmath", "operator", "_operator", "itertools", "functools", "_functools",
    "collections", "_collections", "_collections_abc", "heapq", "_heapq", "bisect", "_bisect",
    "statistics", "_statistics", "fractions", "numbers", "decimal", "_decimal", "_pydecimal",
    "datetime", "_datetime", "_pydatetime", "calendar", "re", "_sre", "string", "_string",
    "textwrap", "copy", "copyreg", "dataclasses", "enum", "typing", "types", "abc", "_abc",
    "contextlib", "struct", "_struct", "array", "json", "_json", "base64", "binascii",
    "unicodedata", "difflib", "keyword", "reprlib", "graphlib", "colorsys", "fnmatch", "warnings",
    "_warnings", "numpy", "scipy", "autograph", "runtime", "gast", "posixpath", "ntpath", "hashlib",
    "_hashlib", "zlib", "html", "inspect", "urllib.parse", "uuid", "ipaddress",
))  # fmt: skip
"""Modules whose functions compute, and change nothing but the objects that they are given."""

_EXCEPT = frozenset((
    *[f"builtins.{name}" for name in (
        "exec", "eval", "compile", "__import__", "breakpoint", "open", "input",
    )],
    *[f"{module}.{name}" for module in ("posixpath", "ntpath") for name in (
        "abspath", "expanduser", "expandvars", "lexists", "islink", "ismount", "realpath",
        "relpath",
    )],
))  # fmt: skip

_OTHERS = frozenset((
    "os.getenv", "os._Environ.get", "os._Environ.keys", "os._Environ.items", "os._Environ.copy",
    "logging.getLogger", "pathlib.Path", "pathlib.PurePath", "pathlib.PurePosixPath",
    "pathlib.PureWindowsPath", "pprint.pformat", "pickle.dumps", "_pickle.dumps", "pickle.loads",
    "_pickle.loads", "marshal.dumps", "marshal.loads",
))  # fmt: skip
"""Callables of other modules that only read; each call compares what they read of os.environ."""

_IN_MEMORY = (io.StringIO, io.BytesIO)
"""Files that the heap remembers."""


def check(function: Any) -> None:
    """Raise EffectError for a callable that may have an effect which is not known."""
    owner = getattr(function, "__self__", None)
    is_bound = owner is not None and not isinstance(owner, types.ModuleType)
    if isinstance(function, types.FunctionType | type):
        module, name = function.__module__, function.__name__
    elif is_bound:
        kind = owner if isinstance(owner, type) else type(owner)
        module, name = kind.__module__, f"{kind.__name__}.{getattr(function, '__name__', '')}"
    elif isinstance(function, types.BuiltinFunctionType):
        module, name = function.__module__, function.__name__
    else:
        kind = type(function)
        module, name = kind.__module__, kind.__name__
    if isinstance(owner, _IN_MEMORY) or isinstance(function, type) and function in _IN_MEMORY:
        return
    is_iteration = is_bound and hasattr(owner, "__next__") and not is_users(module)
    if is_iteration and refuse_unknown_effects.value:
        raise _unknown(name)
    spoken = f"{module}.{name}"
    if spoken not in _OTHERS and (not _is_known(module) or spoken in _EXCEPT):
        raise _unknown(name)


def is_users(module: Any) -> bool:
    """Return whether a module is none of Python's, and of no library that is left as it is."""
    return isinstance(module, str) and module != "builtins" and not is_skipped(module)


def _is_known(module: Any) -> bool:
    """Return whether functions of a module may be called again."""
    if not isinstance(module, str):
        return False
    if module.startswith("numpy.random"):
        return False
    top = module.partition(".")[0]
    return module in _COMPUTING or top in _COMPUTING or not is_skipped(module)


def check_change(holder: Any) -> None:
    """Raise EffectError for a change of an object of a library, such as ``os.environ``."""
    kind = type(holder)
    if not _is_known(kind.__module__):
        raise _unknown(f"{kind.__name__}.__setitem__")


def _unknown(name: str) -> EffectError:
    return EffectError(
        f"{name}() may have effects that are not known, and tracing would call it only once",
        where=user_line(),
        help="call it outside of the function, and pass the result as an argument if it has one",
        subject=name,
    )
