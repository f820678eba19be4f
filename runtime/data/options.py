"""Options of datasets: kept, joined where datasets are, and handed out.

None has an effect on elements: their order is always the same here, which every option allows.
"""

from __future__ import annotations

import enum
from typing import Any, ClassVar


class AutoShardPolicy(enum.IntEnum):
    """How workers would share a dataset."""

    OFF = -1
    AUTO = 0
    FILE = 1
    DATA = 2
    HINT = 3


class AutotuneAlgorithm(enum.Enum):
    """How buffers and threads would be tuned."""

    DEFAULT = 0
    HILL_CLIMB = 1
    GRADIENT_DESCENT = 2
    MAX_PARALLELISM = 3
    STAGE_BASED = 4


class ExternalStatePolicy(enum.Enum):
    """What saving a dataset would do about state outside of it."""

    WARN = 0
    IGNORE = 1
    FAIL = 2


class OptionsBase:
    """A group of options, each of a type, None before it is set.

    AttributeError for a name that is no option, TypeError for a value of another type, ValueError
    for changing options that a dataset handed out.
    """

    _types: ClassVar[dict[str, type]] = {}
    _same: ClassVar[dict[str, str]] = {}
    """Other names of options."""
    _defaults: ClassVar[dict[str, Any]] = {}

    def __init__(self) -> None:
        groups = {n: kind for n, kind in self._types.items() if issubclass(kind, OptionsBase)}
        values = {name: kind() for name, kind in groups.items()}
        object.__setattr__(self, "_values", {**self._defaults, **values})
        object.__setattr__(self, "_mutable", True)

    def __getattr__(self, name: str) -> Any:
        name = self._same.get(name, name)
        if name in self._types:
            return self._values.get(name)
        raise AttributeError(f"{type(self).__name__} has no option {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        kind = self._types.get(self._same.get(name, name))
        if kind is None:
            raise AttributeError(
                f"Cannot set the property {name} on {type(self).__name__}. It has "
                f"{', '.join(self._types)}."
            )
        if not self._mutable:
            raise ValueError(
                "Mutating `tf.data.Options()` returned by `tf.data.Dataset.options()` has no "
                "effect. Use `tf.data.Dataset.with_options(options)` to set or update dataset "
                "options."
            )
        if not isinstance(value, kind):
            raise TypeError(
                f"Property {name!r} must be of type {kind}, got: {value!r} (type: {type(value)})."
            )
        self._values[self._same.get(name, name)] = value

    def _merged(self, other: Any, mutable: bool = True) -> Any:
        """These options, those that the other sets being its own."""
        joint = type(self)()
        for name, value in (*self._values.items(), *other._values.items()):
            if isinstance(value, OptionsBase):
                joint._values[name] = joint._values[name]._merged(value, mutable)
            elif value != self._defaults.get(name):
                joint._values[name] = value
        object.__setattr__(joint, "_mutable", mutable)
        return joint

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._values == vars(other)["_values"]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._values})"


class AutotuneOptions(OptionsBase):
    """What the tuning of buffers and threads may use."""

    _types: ClassVar[dict[str, type]] = {
        "enabled": bool, "cpu_budget": int, "ram_budget": int,
        "autotune_algorithm": AutotuneAlgorithm, "initial_parallelism": int,
        "min_parallelism": int,
    }  # fmt: skip


class DistributeOptions(OptionsBase):
    """How a dataset is shared by workers."""

    _types: ClassVar[dict[str, type]] = {"auto_shard_policy": AutoShardPolicy, "num_devices": int}
    _defaults: ClassVar[dict[str, Any]] = {"auto_shard_policy": AutoShardPolicy.AUTO}


class OptimizationOptions(OptionsBase):
    """Which steps are put together, turned round or left out, where that makes no difference."""

    _types: ClassVar[dict[str, type]] = {
        "apply_default_optimizations": bool, "filter_fusion": bool,
        "filter_parallelization": bool, "inject_prefetch": bool, "map_and_batch_fusion": bool,
        "map_and_filter_fusion": bool, "map_fusion": bool, "map_parallelization": bool,
        "noop_elimination": bool, "parallel_batch": bool, "seq_interleave_prefetch": bool,
        "shuffle_and_repeat_fusion": bool,
    }  # fmt: skip


class ThreadingOptions(OptionsBase):
    """How many threads a dataset has."""

    _types: ClassVar[dict[str, type]] = {
        "max_intra_op_parallelism": int, "private_threadpool_size": int,
    }  # fmt: skip


class Options(OptionsBase):
    """What a user may say about a dataset as a whole: hints about speed, without effect here."""

    _types: ClassVar[dict[str, type]] = {
        "autotune": AutotuneOptions, "dataset_name": str, "deterministic": bool,
        "experimental_distribute": DistributeOptions,
        "experimental_external_state_policy": ExternalStatePolicy,
        "experimental_optimization": OptimizationOptions, "experimental_slack": bool,
        "experimental_symbolic_checkpoint": bool, "experimental_warm_start": bool,
        "framework_type": list, "threading": ThreadingOptions,
    }  # fmt: skip
    _same: ClassVar[dict[str, str]] = {
        "experimental_deterministic": "deterministic", "experimental_threading": "threading",
    }  # fmt: skip

    def merge(self, options: Options) -> Options:
        """These options, those that the others set being theirs."""
        return self._merged(options)


def joint_options(given: list[Options]) -> Options:
    """The options of a dataset made of others; not to be changed."""
    joint = Options()
    for options in given:
        joint = joint._merged(options)
    return joint._merged(Options(), mutable=False)
