"""Options of datasets: kept and handed out; the order of elements is what they can change."""

from __future__ import annotations

from typing import Any

_NAMES = (
    "autotune", "deterministic", "experimental_deterministic", "experimental_distribute",
    "experimental_external_state_policy", "experimental_optimization", "experimental_slack",
    "experimental_symbolic_checkpoint", "experimental_threading", "experimental_warm_start",
    "framework_type", "threading", "dataset_name", "experimental_warm_start",
)  # fmt: skip


class Settings:
    """A group of options: any name may be set, none has an effect on results."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({vars(self)})"


class ThreadingOptions(Settings):
    """``private_threadpool_size`` and ``max_intra_op_parallelism``: hints without effect."""


class Options:
    """What a user may say about a dataset as a whole.

    All options are hints about speed, which are kept and have no effect.  AttributeError for a
    name that is no option.
    """

    def __init__(self) -> None:
        self.deterministic: bool | None = None
        self.threading = ThreadingOptions()
        self.autotune = Settings()
        self.experimental_optimization = Settings()
        self.experimental_distribute = Settings()

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _NAMES:
            raise AttributeError(f"Cannot set the property {name} on {type(self).__name__}.")
        object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        if name in _NAMES:
            return None
        raise AttributeError(f"Options has no attribute {name!r}")

    def merge(self, options: Options) -> Options:
        """These options, where the others say nothing."""
        merged = Options()
        for source in (self, options):
            for name, value in vars(source).items():
                if value is not None:
                    setattr(merged, name, value)
        return merged

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Options) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        return f"Options({vars(self)})"
