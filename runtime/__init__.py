"""The runtime: a small, fast dataflow runtime with TensorFlow's names (``import runtime as tf``).

This file only gathers the public names; errors and dtypes lie lowest, sessions on top.
"""

from runtime import dtypes, errors, nest
from runtime.defaults import (
    control_dependencies,
    device,
    get_default_graph,
    name_scope,
    placeholder,
    reset_default_graph,
)
from runtime.dtypes import (
    DType,
    as_dtype,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    resource,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
    variant,
)
from runtime.dtypes import bool_ as bool
from runtime.eager import Tensor
from runtime.graph import Graph
from runtime.interpreter import (
    executing_eagerly,
    init_scope,
    register_tensor_conversion_function,
)
from runtime.ops.comparison import *
from runtime.ops.constants import *
from runtime.ops.effects import *
from runtime.ops.elementwise import *
from runtime.ops.indexing import *
from runtime.ops.linalg import *
from runtime.ops.reduction import *
from runtime.ops.shape import *
from runtime.session import InteractiveSession, Session, get_default_session
from runtime.symbolic import Operation
from runtime.types import TensorShape, TensorSpec

newaxis = None
