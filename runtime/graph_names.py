"""The flat names that need graphs, sessions or conversion, and those of annexes: loaded late."""

# ruff: noqa: F403 - what a star brings is what the module's __all__ says
from runtime.autodiff.custom_gradient import *
from runtime.autodiff.gradient_functions import *
from runtime.autodiff.gradients import *
from runtime.autodiff.tape import *
from runtime.control_flow.cond import *
from runtime.control_flow.map_fn import *
from runtime.control_flow.py_function import *
from runtime.control_flow.scan import *
from runtime.control_flow.while_loop import *
from runtime.devices.scope import *
from runtime.engine.session import *
from runtime.engine.session_config import *
from runtime.functions.decorator import *
from runtime.graph.collections import *
from runtime.graph.default_collections import *
from runtime.graph.default_graph import *
from runtime.graph.graph import *
from runtime.graph.import_graph_def import *
from runtime.graph.operation import *
from runtime.ops.array.partitions import *
from runtime.ops.control_flow.assertions import *
from runtime.ops.linalg.decompositions import *
from runtime.ops.math.composites import *
from runtime.ops.math.fft import fftnd as fftnd
from runtime.ops.math.fft import ifftnd as ifftnd
from runtime.ops.math.fft import irfftnd as irfftnd
from runtime.ops.math.fft import rfftnd as rfftnd
from runtime.ops.nn.normalization import batch_to_space as batch_to_space
from runtime.ops.nn.normalization import space_to_batch as space_to_batch
from runtime.ops.nn.normalization import space_to_batch_nd as space_to_batch_nd
from runtime.ops.string.regex import *
from runtime.state.creator_scope import *
from runtime.state.indexed_slices import *
from runtime.state.initializers import *
from runtime.state.module import *
from runtime.state.scatter_update import *
from runtime.state.variable import *
from runtime.types.annexes import optional_annex as _optional_annex
from runtime.types.device_spec import *

with _optional_annex():
    from runtime.composite import map_fn_ragged as _map_fn_ragged  # noqa: F401 - map_fn makes ragged tensors
    from runtime.composite import ragged_shapes as _ragged_shapes  # noqa: F401 - and their rules
    from runtime.composite.ragged_ops import *
    from runtime.composite.sparse.operators import *
    from runtime.composite.tensor_array import *
    from runtime.composite.type_spec import *
with _optional_annex():
    from runtime.compat.v1.aliases import *
    from runtime.compat.v1.logging import get_logger as get_logger
    from runtime.compat.v1.print_op import *
    from runtime.compat.v1.sparse_names import *
    from runtime.compat.v1.template import *
    from runtime.compat.v1.variable_scope import *
    from runtime.compat.v1.variables_initializer import *
with _optional_annex():
    from runtime.data.iterators import OptionalSpec as OptionalSpec
with _optional_annex():
    from runtime.containers.accumulator import *
    from runtime.containers.hash_table import *
    from runtime.containers.queue import *
    from runtime.containers.string_hash_ops import *
