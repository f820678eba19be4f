"""``runtime.profiler``: where the time of a run goes, by operation and by line."""

from runtime.engine.profiling.profile import Profile as Profile
from runtime.engine.profiling.profile import trace as trace

__all__ = ["Profile", "trace"]


def __dir__() -> list[str]:
    return __all__
