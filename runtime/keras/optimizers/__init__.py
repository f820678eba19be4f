"""``runtime.keras.optimizers``: optimizers and schedules with Keras' names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.keras.identifiers import identified, resolve
from runtime.keras.optimizers import schedules as schedules
from runtime.keras.optimizers.adam import Adam as Adam
from runtime.keras.optimizers.adam import Adamax as Adamax
from runtime.keras.optimizers.adam import AdamW as AdamW
from runtime.keras.optimizers.adam import Lamb as Lamb
from runtime.keras.optimizers.adam import Nadam as Nadam
from runtime.keras.optimizers.adaptive import Adadelta as Adadelta
from runtime.keras.optimizers.adaptive import Adafactor as Adafactor
from runtime.keras.optimizers.adaptive import Adagrad as Adagrad
from runtime.keras.optimizers.adaptive import Ftrl as Ftrl
from runtime.keras.optimizers.adaptive import RMSprop as RMSprop
from runtime.keras.optimizers.descent import SGD as SGD
from runtime.keras.optimizers.descent import Lion as Lion
from runtime.keras.optimizers.loss_scaling import LossScaleOptimizer as LossScaleOptimizer
from runtime.keras.optimizers.optimizer import Optimizer as Optimizer
from runtime.types.annexes import explained as _explained

__all__ = [
    "SGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "Ftrl", "Lamb", "Lion",
    "LossScaleOptimizer", "Nadam", "Optimizer", "RMSprop", "deserialize", "get", "schedules",
    "serialize",
]  # fmt: skip

_CLASSES = (
    SGD, Adadelta, Adafactor, Adagrad, Adam, AdamW, Adamax, Ftrl, Lamb, Lion, LossScaleOptimizer,
    Nadam, RMSprop,
)  # fmt: skip
_NAMES: dict[str, Any] = {kind.__name__: kind for kind in _CLASSES}
_NAMES |= {name.lower(): kind for name, kind in _NAMES.items()}

deserialize, _get, serialize = identified("optimizer", _NAMES)


def get(identifier: Any) -> Any:
    """Find the optimizer that an identifier means.

    Args:
        identifier: name, dict of ``serialize``, class or optimizer; or None.
    Returns:
        Optimizer; None for None.
    Raises:
        ValueError: there is no such optimizer.
    """
    if isinstance(identifier, Optimizer):
        return identifier
    return resolve(identifier, _NAMES, "optimizer")


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
