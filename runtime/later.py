"""The flat names that need graphs, sessions or conversion: loaded when the first of them is asked.

``import runtime`` brings eager tensors and the ops; ``runtime.__getattr__`` comes here for the
rest, so that who only computes does not wait for what only a graph needs.
"""

# ruff: noqa: F403 - what a star brings is what the module's __all__ says

from runtime.autodiff.custom import *
from runtime.autodiff.functions import *
from runtime.autodiff.gradients import *
from runtime.autodiff.registered import *
from runtime.autodiff.tape import *
from runtime.branches import *
from runtime.collected import *
from runtime.data.iterators import OptionalSpec as OptionalSpec
from runtime.decorators import *
from runtime.defaults import *
from runtime.definitions import *
from runtime.devices import *
from runtime.folds import *
from runtime.graph import *
from runtime.indexed_slices import *
from runtime.initialization import *
from runtime.initializers import *
from runtime.logged import *
from runtime.loops import *
from runtime.modules import *
from runtime.older import *
from runtime.ops.assertions import *
from runtime.ops.composites import *
from runtime.ops.decompositions import *
from runtime.ops.hashing import *
from runtime.ops.networks import batch_to_space as batch_to_space
from runtime.ops.networks import space_to_batch as space_to_batch
from runtime.ops.networks import space_to_batch_nd as space_to_batch_nd
from runtime.ops.partitions import *
from runtime.ops.patterns import *
from runtime.ops.spectral import fftnd as fftnd
from runtime.ops.spectral import ifftnd as ifftnd
from runtime.ops.spectral import irfftnd as irfftnd
from runtime.ops.spectral import rfftnd as rfftnd
from runtime.options import *
from runtime.passes import pipeline as _pipeline  # noqa: F401 - graphs run optimised
from runtime.python_functions import *
from runtime.queues import *
from runtime.ragged_operations import *
from runtime.session import *
from runtime.staging import *
from runtime.symbolic import *
from runtime.tables import *
from runtime.templates import *
from runtime.tensor_arrays import *
from runtime.type_specs import *
from runtime.updates import *
from runtime.variable_creators import *
from runtime.variable_scopes import *
from runtime.variables import *
