"""Types of the names of ``runtime.initializers``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from collections.abc import Mapping
from runtime.keras.initializers import Constant as Constant
from runtime.keras.initializers import Constant as constant
from runtime.keras.initializers import GlorotNormal as GlorotNormal
from runtime.keras.initializers import GlorotNormal as glorot_normal
from runtime.keras.initializers import GlorotUniform as GlorotUniform
from runtime.keras.initializers import GlorotUniform as glorot_uniform
from runtime.keras.initializers import HeNormal as HeNormal
from runtime.keras.initializers import HeNormal as he_normal
from runtime.keras.initializers import HeUniform as HeUniform
from runtime.keras.initializers import HeUniform as he_uniform
from runtime.keras.initializers import Identity as Identity
from runtime.keras.initializers import Identity as IdentityInitializer
from runtime.keras.initializers import Identity as identity
from runtime.keras.initializers import LecunNormal as LecunNormal
from runtime.keras.initializers import LecunNormal as lecun_normal
from runtime.keras.initializers import LecunUniform as LecunUniform
from runtime.keras.initializers import LecunUniform as lecun_uniform
from runtime.keras.initializers import Ones as Ones
from runtime.keras.initializers import Ones as ones
from runtime.keras.initializers import Orthogonal as Orthogonal
from runtime.keras.initializers import Orthogonal as OrthogonalInitializer
from runtime.keras.initializers import Orthogonal as orthogonal
from runtime.keras.initializers import RandomNormal as RandomNormal
from runtime.keras.initializers import RandomNormal as random_normal
from runtime.keras.initializers import RandomUniform as RandomUniform
from runtime.keras.initializers import RandomUniform as random_uniform
from runtime.keras.initializers import TruncatedNormal as TruncatedNormal
from runtime.keras.initializers import TruncatedNormal as truncated_normal
from runtime.keras.initializers import VarianceScaling as VarianceScaling
from runtime.keras.initializers import VarianceScaling as variance_scaling
from runtime.keras.initializers import Zeros as Zeros
from runtime.keras.initializers import Zeros as zeros
from runtime.keras.initializers import get as get
from runtime.state.initializers import Initializer as Initializer
from typing import Any

def deserialize(config: Any, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """Make the initializer of a dict.

    Args:
        config: dict that ``serialize`` returned, or a name.
        custom_objects: classes and functions by name that are looked for, too.
    Returns:
        Instance of the class, or function.
    Raises:
        TypeError: nobody knows the class or function.
    """
def serialize(obj: Any) -> Any:
    """Describe the initializer as a dict that JSON can hold.

    Args:
        obj: instance of a class with ``get_config``, or function.
    Returns:
        Dict that ``deserialize`` reads.
    Raises:
        ValueError: the function is a lambda.
        TypeError: the class has no ``get_config``.
    """
