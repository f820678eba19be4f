"""Types of the names of ``runtime.optimizers``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from collections.abc import Mapping
from runtime.keras.optimizers import get as get
from runtime.keras.optimizers import schedules as schedules
from runtime.keras.optimizers.adam import Adam as Adam
from runtime.keras.optimizers.adam import AdamW as AdamW
from runtime.keras.optimizers.adam import Adamax as Adamax
from runtime.keras.optimizers.adam import Lamb as Lamb
from runtime.keras.optimizers.adam import Nadam as Nadam
from runtime.keras.optimizers.adaptive import Adadelta as Adadelta
from runtime.keras.optimizers.adaptive import Adafactor as Adafactor
from runtime.keras.optimizers.adaptive import Adagrad as Adagrad
from runtime.keras.optimizers.adaptive import Ftrl as Ftrl
from runtime.keras.optimizers.adaptive import RMSprop as RMSprop
from runtime.keras.optimizers.descent import Lion as Lion
from runtime.keras.optimizers.descent import SGD as SGD
from runtime.keras.optimizers.loss_scaling import LossScaleOptimizer as LossScaleOptimizer
from runtime.keras.optimizers.optimizer import Optimizer as Optimizer
from typing import Any

def deserialize(config: Any, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """Make the optimizer of a dict.

    Args:
        config: dict that ``serialize`` returned, or a name.
        custom_objects: classes and functions by name that are looked for, too.
    Returns:
        Instance of the class, or function.
    Raises:
        TypeError: nobody knows the class or function.
    """
def serialize(obj: Any) -> Any:
    """Describe the optimizer as a dict that JSON can hold.

    Args:
        obj: instance of a class with ``get_config``, or function.
    Returns:
        Dict that ``deserialize`` reads.
    Raises:
        ValueError: the function is a lambda.
        TypeError: the class has no ``get_config``.
    """
