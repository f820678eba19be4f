"""``runtime.profiler``: where the time of a run goes, by operation and by line."""

from typing import TYPE_CHECKING

from runtime.engine.profiling.profile import Profile as Profile
from runtime.engine.profiling.profile import trace as trace
from runtime.types.annexes import explained as _explained

__all__ = ["Profile", "trace"]


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
