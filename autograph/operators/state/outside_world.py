"""Check of calls whose results come from outside of the program: random numbers, clocks, files;
and of those that write there.

Used by ``calls`` while a backend traces a function whose every call must do what plain Python does.
Tracing would call such a function only once.
"""

from __future__ import annotations

import io
import sys
import types
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.operators.state import unknown_effects
from autograph.staging.staged_union import StagedUnion
from autograph.syntax.thread_setting import ThreadSetting

_CLOCKS = frozenset((
    "time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns",
    "process_time", "process_time_ns", "thread_time", "thread_time_ns", "localtime", "gmtime",
    "ctime", "asctime",
))  # fmt: skip
_NOW = frozenset(("now", "utcnow", "today"))
_OS = frozenset((
    "urandom", "listdir", "scandir", "stat", "getcwd", "times", "getloadavg", "open", "read",
    "getpid", "getppid",
))  # fmt: skip
_PATHS = frozenset((
    "read_text", "read_bytes", "open", "exists", "is_file", "is_dir", "stat", "iterdir", "cwd",
))  # fmt: skip

_CONTEXTS = frozenset(("getcontext", "setcontext", "localcontext"))

RANDOM = "use runtime.random, such as runtime.random.uniform, or pass the number as an argument"
ARGUMENT = "call it outside of the function, and pass the result as an argument"


refuse_outside_world = ThreadSetting(False)
"""``with refuse_outside_world(refused)``: forbid, or allow again, calls of such functions by
converted code within the block."""


def check(function: Any) -> None:
    """Raise EffectError for a function of the outside world where such calls are forbidden."""
    if not refuse_outside_world.value or isinstance(function, StagedUnion):
        return  # each of several functions is checked where it is called
    effect = _writes(function)
    if effect is not None:
        raise EffectError(
            f"{effect}() would write in each call, but tracing would call it only once",
            where=user_line(),
            help="use print, which may be given a file, or write outside of the function",
            subject=effect,
        )
    source = _reads(function)
    if source is not None:
        name, help = source
        raise EffectError(
            f"{name}() may return another value in each call, but tracing would call it only once",
            where=user_line(),
            help=help,
            subject=name,
        )
    unknown_effects.check(function)


_LEVELS = frozenset((
    "debug", "info", "warning", "warn", "error", "exception", "critical", "fatal", "log",
))  # fmt: skip


def _writes(function: Any) -> str | None:
    """Return the name of a function that writes to a log, a file or the terminal, or None."""
    name = getattr(function, "__name__", None)
    owner = getattr(function, "__self__", None)
    if isinstance(function, types.FunctionType):
        return f"logging.{name}" if function.__module__ == "logging" and name in _LEVELS else None
    if not isinstance(function, types.MethodType | types.BuiltinMethodType):
        return None
    kind = type(owner)
    if name in _LEVELS:
        is_logger = _is_of("logging", "Logger", kind) or _is_of("logging", "LoggerAdapter", kind)
        return f"{kind.__name__}.{name}" if is_logger else None
    if name not in ("write", "writelines"):
        return None
    is_terminal = any(owner is terminal for terminal in _terminals())
    return f"{kind.__name__}.{name}" if _is_file(owner) or is_terminal else None


def _is_file(value: Any) -> bool:
    """Whether an object is a file that is not in memory."""
    return isinstance(value, io.IOBase) and not isinstance(value, io.StringIO | io.BytesIO)


def _terminals() -> tuple[Any, ...]:
    return sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__


def _reads(function: Any) -> tuple[str, str] | None:
    """Return the name of a function of the outside world, and a remedy; None for any other."""
    if isinstance(function, types.MethodType | types.BuiltinMethodType):
        owner = function.__self__
        if owner is not None and not isinstance(owner, types.ModuleType):
            return _of_object(owner, function.__name__)
    if not isinstance(function, types.FunctionType | types.BuiltinFunctionType):
        return None
    module, name = function.__module__, function.__name__
    if function is input or function is open:
        return name, ARGUMENT
    if not isinstance(module, str):
        return None
    spoken = f"{module}.{name}"
    if module == "secrets" or module == "uuid" and name in ("uuid1", "uuid4"):
        return spoken, ARGUMENT
    if module == "time" and name in _CLOCKS:
        return spoken, ARGUMENT
    if module in ("decimal", "_decimal") and name in _CONTEXTS:
        return f"decimal.{name}", "compute with Decimals outside of the function"
    if module in ("os", "posix", "nt") and name in _OS:
        return f"os.{name}", ARGUMENT
    if module == "genericpath" or module == "posixpath" and name in ("ismount", "realpath"):
        return f"os.path.{name}", ARGUMENT
    return None


def _of_object(owner: Any, name: str) -> tuple[str, str] | None:
    kind = type(owner)
    if _is_of("random", "Random", kind):
        return f"random.{name}", RANDOM
    if kind.__module__.startswith("numpy.random"):
        return f"numpy.random.{name}", RANDOM
    if _is_file(owner) and name.startswith("read"):
        return f"{kind.__name__}.{name}", ARGUMENT
    owning = owner if isinstance(owner, type) else kind
    if owning is owner and name in _NOW and _is_of("datetime", "date", owning):
        return f"{owning.__name__}.{name}", ARGUMENT
    if name in _PATHS and _is_of("pathlib", "Path", owning):
        return f"{owning.__name__}.{name}", ARGUMENT
    return None


def _is_of(module: str, name: str, kind: type) -> bool:
    """Return whether a class is, or derives from, a class of a module that may not be loaded."""
    original = getattr(sys.modules.get(module), name, None)
    return original is not None and issubclass(kind, original)
