"""``runtime.keras``: layers, losses, metrics and optimizers, with Keras 3's names.

A script that says ``import keras`` or ``from tensorflow import keras`` says
``from runtime import keras`` here.  Modules and classes are imported when they are first asked for.
"""

import importlib as _importlib
from typing import TYPE_CHECKING

from autograph.errors import unknown_name as _unknown_name
from runtime.types.annexes import explained as _explained

if TYPE_CHECKING:
    from runtime.keras import activations as activations
    from runtime.keras import backend as backend
    from runtime.keras import callbacks as callbacks
    from runtime.keras import config as config
    from runtime.keras import constraints as constraints
    from runtime.keras import datasets as datasets
    from runtime.keras import dtype_policies as dtype_policies
    from runtime.keras import initializers as initializers
    from runtime.keras import layers as layers
    from runtime.keras import losses as losses
    from runtime.keras import metrics as metrics
    from runtime.keras import mixed_precision as mixed_precision
    from runtime.keras import models as models
    from runtime.keras import ops as ops
    from runtime.keras import optimizers as optimizers
    from runtime.keras import preprocessing as preprocessing
    from runtime.keras import random as random
    from runtime.keras import regularizers as regularizers
    from runtime.keras import saving as saving
    from runtime.keras import tree as tree
    from runtime.keras import utils as utils
    from runtime.keras.dtype_policies import DTypePolicy as DTypePolicy
    from runtime.keras.initializers import Initializer as Initializer
    from runtime.keras.layers import Input as Input
    from runtime.keras.layers import InputSpec as InputSpec
    from runtime.keras.layers import Layer as Layer
    from runtime.keras.losses import Loss as Loss
    from runtime.keras.metrics import Metric as Metric
    from runtime.keras.models import Model as Model
    from runtime.keras.models import Sequential as Sequential
    from runtime.keras.name_scopes import name_scope as name_scope
    from runtime.keras.optimizers import Optimizer as Optimizer
    from runtime.keras.regularizers import Regularizer as Regularizer

# A line for each module and, below, for each name that stands in another one.
_MODULES = (
    "activations",
    "backend",
    "callbacks",
    "config",
    "constraints",
    "datasets",
    "dtype_policies",
    "initializers",
    "layers",
    "losses",
    "metrics",
    "mixed_precision",
    "models",
    "ops",
    "optimizers",
    "preprocessing",
    "random",
    "regularizers",
    "saving",
    "tree",
    "utils",
)
_NAMES = {
    "DTypePolicy": "runtime.keras.dtype_policies",
    "Input": "runtime.keras.layers",
    "InputSpec": "runtime.keras.layers",
    "Layer": "runtime.keras.layers",
    "Model": "runtime.keras.models",
    "Sequential": "runtime.keras.models",
    "Initializer": "runtime.keras.initializers",
    "Loss": "runtime.keras.losses",
    "Metric": "runtime.keras.metrics",
    "Optimizer": "runtime.keras.optimizers",
    "Regularizer": "runtime.keras.regularizers",
    "name_scope": "runtime.keras.name_scopes",
}

__all__ = [*_NAMES, *_MODULES]  # noqa: PLE0604 - the names of the tables above

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name in _MODULES:
            return _importlib.import_module(f"runtime.keras.{name}")
        if name in _NAMES:
            globals()[name] = getattr(_importlib.import_module(_NAMES[name]), name)
            return globals()[name]
        raise _unknown_name("runtime.keras", name, __all__)

    __getattr__ = _explained(__name__, __getattr__)


def __dir__() -> list[str]:
    return __all__
