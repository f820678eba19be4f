"""Options of a traced function, and the statistics of its trace cache."""

from __future__ import annotations

from typing import Any, Literal

from autograph import Feature
from autograph.named_tuples import NamedTuple


class FunctionOptions(NamedTuple):
    """Options of tracing: the arguments of ``function`` other than the Python function."""

    input_signature: Any = None
    autograph: bool = True
    jit_compile: bool | Literal["xla"] | None = None
    reduce_retracing: bool = False
    implements: str | None = None
    features: tuple[Feature, ...] = ()
    attributes: dict[str, Any] | None = None
    follow_type_hints: bool = False
    stage_numbers: bool = False
    strict: bool = True


class CacheInfo(NamedTuple):
    """Statistics of a function's trace cache, named as those of ``functools.lru_cache``."""

    hits: int
    misses: int
    maxsize: int
    currsize: int
