"""State of a layer that is no attribute of it: layer.py keeps it in ``layer._keras``."""

from __future__ import annotations

from typing import Any

from runtime.keras import dtype_policies as policies
from runtime.keras.layers.base.call_arguments import CallSignature
from runtime.keras.layers.base.tracking import Opaque
from runtime.state.variable import Variable


class LayerState(Opaque):
    """What a layer keeps for itself."""

    dtype: Any
    """Dtype of weights."""
    compute: Any
    """Dtype that is computed in."""

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.arguments = args, kwargs
        self.initialized = False
        """Whether ``Layer.__init__`` was called."""
        self.built = False
        self.building = False
        self.trainable = True
        self.policy = policies.get(None)
        self.autocast = True
        self.regularized: list[tuple[Variable, Any]] = []
        self.losses: list[Any] = []
        """Losses that the last call added."""
        self.kept: list[Variable] = []
        """Variables that are no weights."""
        self.updates: list[Any] = []
        """Operations of a session's graph that change weights besides training."""
        self.signature: CallSignature | None = None
        self.input_shape: tuple[int | None, ...] | None = None
        """Shape of the inputs that the layer was made for, with the batch."""
        self.build_shapes: dict[str, Any] | None = None
        """The arguments of ``build``."""
        self.initial_weights: Any = None
        self.parent_path: str | None = None
        """Path of what the layer was called or built within first."""
        self.path: str | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles hold: not the functions of steps, nor a strategy."""
        return {n: v for n, v in vars(self).items() if n not in ("functions", "strategy")}

    @property
    def policy(self) -> Any:
        """Policy of dtypes."""
        return self._policy

    @policy.setter
    def policy(self, policy: Any) -> None:
        self._policy = policy
        self.dtype, self.compute = policy.dtypes
