"""Types of the names of ``runtime``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from . import array_api as array_api
from . import autodiff as autodiff
from . import bitwise as bitwise
from . import config as config
from . import data as data
from . import debugging as debugging
from . import distribute as distribute
from . import dtypes as dtypes
from . import errors as errors
from . import experimental as experimental
from . import export as export
from . import image as image
from . import initializers as initializers
from . import io as io
from . import keras as keras
from . import layers as layers
from . import linalg as linalg
from . import lookup as lookup
from . import losses as losses
from . import math as math
from . import metrics as metrics
from . import nest as nest
from . import nn as nn
from . import optimizer as optimizer
from . import optimizers as optimizers
from . import profiler as profiler
from . import queue as queue
from . import ragged as ragged
from . import random as random
from . import saved_model as saved_model
from . import signal as signal
from . import sparse as sparse
from . import strings as strings
from . import summary as summary
from . import test as test
from . import train as train
from collections.abc import Iterable
from collections.abc import Sequence
from runtime.autodiff.custom_gradient import custom_gradient as custom_gradient
from runtime.autodiff.custom_gradient import grad_pass_through as grad_pass_through
from runtime.autodiff.custom_gradient import recompute_grad as recompute_grad
from runtime.autodiff.gradient_functions import gradients_function as gradients_function
from runtime.autodiff.gradient_functions import implicit_gradients as implicit_gradients
from runtime.autodiff.gradient_functions import implicit_value_and_gradients as implicit_value_and_gradients
from runtime.autodiff.gradient_functions import value_and_gradients_function as value_and_gradients_function
from runtime.autodiff.gradients import AggregationMethod as AggregationMethod
from runtime.autodiff.gradients import gradients as gradients
from runtime.autodiff.gradients import hessians as hessians
from runtime.autodiff.seeds import UnconnectedGradients as UnconnectedGradients
from runtime.autodiff.tape import GradientTape as GradientTape
from runtime.compat.v1.aliases import control_flow_v2_enabled as control_flow_v2_enabled
from runtime.compat.v1.aliases import dimension_at_index as dimension_at_index
from runtime.compat.v1.aliases import dimension_value as dimension_value
from runtime.compat.v1.aliases import disable_control_flow_v2 as disable_control_flow_v2
from runtime.compat.v1.aliases import disable_v2_behavior as disable_v2_behavior
from runtime.compat.v1.aliases import enable_control_flow_v2 as enable_control_flow_v2
from runtime.compat.v1.aliases import enable_resource_variables as enable_resource_variables
from runtime.compat.v1.aliases import enable_tensor_equality as enable_tensor_equality
from runtime.compat.v1.aliases import enable_v2_behavior as enable_v2_behavior
from runtime.compat.v1.aliases import enable_v2_tensorshape as enable_v2_tensorshape
from runtime.compat.v1.aliases import resource_variables_enabled as resource_variables_enabled
from runtime.compat.v1.logging import get_logger as get_logger
from runtime.compat.v1.sparse_names import sparse_placeholder as sparse_placeholder
from runtime.compat.v1.template import make_template as make_template
from runtime.compat.v1.variable_scope import VariableScope as VariableScope
from runtime.compat.v1.variable_scope import get_local_variable as get_local_variable
from runtime.compat.v1.variable_scope import get_variable as get_variable
from runtime.compat.v1.variable_scope import get_variable_scope as get_variable_scope
from runtime.compat.v1.variable_scope import no_regularizer as no_regularizer
from runtime.compat.v1.variable_scope import variable_scope as variable_scope
from runtime.compat.v1.variables_initializer import assert_variables_initialized as assert_variables_initialized
from runtime.compat.v1.variables_initializer import assign as assign
from runtime.compat.v1.variables_initializer import assign_add as assign_add
from runtime.compat.v1.variables_initializer import assign_sub as assign_sub
from runtime.compat.v1.variables_initializer import global_variables as all_variables
from runtime.compat.v1.variables_initializer import global_variables as global_variables
from runtime.compat.v1.variables_initializer import global_variables_initializer as global_variables_initializer
from runtime.compat.v1.variables_initializer import global_variables_initializer as initialize_all_variables
from runtime.compat.v1.variables_initializer import local_variables as local_variables
from runtime.compat.v1.variables_initializer import local_variables_initializer as initialize_local_variables
from runtime.compat.v1.variables_initializer import local_variables_initializer as local_variables_initializer
from runtime.compat.v1.variables_initializer import model_variables as model_variables
from runtime.compat.v1.variables_initializer import moving_average_variables as moving_average_variables
from runtime.compat.v1.variables_initializer import trainable_variables as trainable_variables
from runtime.compat.v1.variables_initializer import variables_initializer as initialize_variables
from runtime.compat.v1.variables_initializer import variables_initializer as variables_initializer
from runtime.composite.ragged_tensor import RaggedTensor as RaggedTensor
from runtime.composite.ragged_tensor_spec import RaggedTensorSpec as RaggedTensorSpec
from runtime.composite.sparse.arithmetic import add as sparse_add
from runtime.composite.sparse.arithmetic import mask as sparse_mask
from runtime.composite.sparse.arithmetic import maximum as sparse_maximum
from runtime.composite.sparse.arithmetic import minimum as sparse_minimum
from runtime.composite.sparse.arithmetic import reduce_max as sparse_reduce_max
from runtime.composite.sparse.arithmetic import reduce_sum as sparse_reduce_sum
from runtime.composite.sparse.arithmetic import softmax as sparse_softmax
from runtime.composite.sparse.arrangement import concat as sparse_concat
from runtime.composite.sparse.arrangement import fill_empty_rows as sparse_fill_empty_rows
from runtime.composite.sparse.arrangement import reset_shape as sparse_reset_shape
from runtime.composite.sparse.arrangement import reshape as sparse_reshape
from runtime.composite.sparse.arrangement import retain as sparse_retain
from runtime.composite.sparse.arrangement import slice as sparse_slice
from runtime.composite.sparse.arrangement import split as sparse_split
from runtime.composite.sparse.arrangement import transpose as sparse_transpose
from runtime.composite.sparse.conversions import reorder as sparse_reorder
from runtime.composite.sparse.sparse_tensor import SparseTensor as SparseTensor
from runtime.composite.sparse.sparse_tensor import SparseTensorSpec as SparseTensorSpec
from runtime.composite.sparse.sparse_tensor import SparseTensorValue as SparseTensorValue
from runtime.composite.tensor_array import TensorArray as TensorArray
from runtime.composite.tensor_array import TensorArraySpec as TensorArraySpec
from runtime.composite.type_spec import NoneTensorSpec as NoneTensorSpec
from runtime.composite.type_spec import type_spec_from_value as type_spec_from_value
from runtime.containers.accumulator import ConditionalAccumulator as ConditionalAccumulator
from runtime.containers.hash_table import tables_initializer as initialize_all_tables
from runtime.containers.hash_table import tables_initializer as tables_initializer
from runtime.containers.queue import FIFOQueue as FIFOQueue
from runtime.containers.queue import PaddingFIFOQueue as PaddingFIFOQueue
from runtime.containers.queue import PriorityQueue as PriorityQueue
from runtime.containers.queue import QueueBase as QueueBase
from runtime.containers.queue import RandomShuffleQueue as RandomShuffleQueue
from runtime.control_flow.cond import case as case
from runtime.control_flow.cond import cond as cond
from runtime.control_flow.cond import group as group
from runtime.control_flow.cond import no_op as no_op
from runtime.control_flow.cond import switch_case as switch_case
from runtime.control_flow.cond import tuple as tuple
from runtime.control_flow.map_fn import map_fn as map_fn
from runtime.control_flow.map_fn import vectorized_map as vectorized_map
from runtime.control_flow.py_function import numpy_function as numpy_function
from runtime.control_flow.py_function import py_func as py_func
from runtime.control_flow.py_function import py_function as py_function
from runtime.control_flow.scan import foldl as foldl
from runtime.control_flow.scan import foldr as foldr
from runtime.control_flow.scan import scan as scan
from runtime.control_flow.while_loop import while_loop as while_loop
from runtime.data.iterators import OptionalSpec as OptionalSpec
from runtime.devices.scope import device as device
from runtime.eager.tensor import Tensor as Tensor
from runtime.engine.session import InteractiveSession as InteractiveSession
from runtime.engine.session import Session as Session
from runtime.engine.session import get_default_session as get_default_session
from runtime.engine.session_config import ConfigProto as ConfigProto
from runtime.engine.session_config import GPUOptions as GPUOptions
from runtime.engine.session_config import GraphOptions as GraphOptions
from runtime.engine.session_config import OptimizerOptions as OptimizerOptions
from runtime.engine.session_config import RunMetadata as RunMetadata
from runtime.engine.session_config import RunOptions as RunOptions
from runtime.functions.decorator import function as function
from runtime.functions.decorator import jit as jit
from runtime.graph.collections import GraphKeys as GraphKeys
from runtime.graph.default_collections import add_to_collection as add_to_collection
from runtime.graph.default_collections import add_to_collections as add_to_collections
from runtime.graph.default_collections import get_collection as get_collection
from runtime.graph.default_collections import get_collection_ref as get_collection_ref
from runtime.graph.default_graph import colocate_with as colocate_with
from runtime.graph.default_graph import container as container
from runtime.graph.default_graph import control_dependencies as control_dependencies
from runtime.graph.default_graph import disable_eager_execution as disable_eager_execution
from runtime.graph.default_graph import enable_eager_execution as enable_eager_execution
from runtime.graph.default_graph import executing_eagerly_outside_functions as executing_eagerly_outside_functions
from runtime.graph.default_graph import get_current_name_scope as get_current_name_scope
from runtime.graph.default_graph import get_default_graph as get_default_graph
from runtime.graph.default_graph import inside_function as inside_function
from runtime.graph.default_graph import name_scope as name_scope
from runtime.graph.default_graph import placeholder as placeholder
from runtime.graph.default_graph import reset_default_graph as reset_default_graph
from runtime.graph.graph import Graph as Graph
from runtime.graph.graph_def import GraphDef as GraphDef
from runtime.graph.graph_def import NodeDef as NodeDef
from runtime.graph.import_graph_def import import_graph_def as import_graph_def
from runtime.graph.operation import Operation as Operation
from runtime.ops.array.concat_split import split as split
from runtime.ops.array.concat_split import unstack as unstack
from runtime.ops.array.constants import is_tensor as is_tensor
from runtime.ops.array.creation import meshgrid as meshgrid
from runtime.ops.array.partitions import dynamic_partition as dynamic_partition
from runtime.ops.array.shape import broadcast_static_shape as broadcast_static_shape
from runtime.ops.array.shape import shape_n as shape_n
from runtime.ops.array.sorting import unique as unique
from runtime.ops.array.sorting import unique_with_counts as unique_with_counts
from runtime.ops.control_flow.assertions import assert_integer as assert_integer
from runtime.ops.control_flow.assertions import assert_near as assert_near
from runtime.ops.control_flow.assertions import assert_none_equal as assert_none_equal
from runtime.ops.control_flow.assertions import assert_proper_iterable as assert_proper_iterable
from runtime.ops.control_flow.assertions import assert_rank as assert_rank
from runtime.ops.control_flow.assertions import assert_rank_at_least as assert_rank_at_least
from runtime.ops.control_flow.assertions import assert_rank_in as assert_rank_in
from runtime.ops.control_flow.assertions import assert_same_float_dtype as assert_same_float_dtype
from runtime.ops.control_flow.assertions import assert_type as assert_type
from runtime.ops.control_flow.assertions import is_numeric_tensor as is_numeric_tensor
from runtime.ops.control_flow.print_assert import Assert as Assert
from runtime.ops.control_flow.print_assert import print as print
from runtime.ops.dispatch import executing_eagerly as executing_eagerly
from runtime.ops.dispatch import init_scope as init_scope
from runtime.ops.dispatch import register_tensor_conversion_function as register_tensor_conversion_function
from runtime.ops.linalg.decompositions import svd as svd
from runtime.ops.linalg.matrices import qr as qr
from runtime.ops.math.clipping import clip_by_global_norm as clip_by_global_norm
from runtime.ops.math.composites import get_static_value as get_static_value
from runtime.ops.math.composites import identity_n as identity_n
from runtime.ops.math.composites import is_symbolic_tensor as is_symbolic_tensor
from runtime.ops.random.sampling import set_seed as set_random_seed
from runtime.state.creator_scope import variable_creator_scope as variable_creator_scope
from runtime.state.indexed_slices import IndexedSlices as IndexedSlices
from runtime.state.indexed_slices import IndexedSlicesSpec as IndexedSlicesSpec
from runtime.state.initializers import constant_initializer as constant_initializer
from runtime.state.initializers import glorot_normal_initializer as glorot_normal_initializer
from runtime.state.initializers import glorot_uniform_initializer as glorot_uniform_initializer
from runtime.state.initializers import ones_initializer as ones_initializer
from runtime.state.initializers import orthogonal_initializer as orthogonal_initializer
from runtime.state.initializers import random_normal_initializer as random_normal_initializer
from runtime.state.initializers import random_uniform_initializer as random_uniform_initializer
from runtime.state.initializers import truncated_normal_initializer as truncated_normal_initializer
from runtime.state.initializers import uniform_unit_scaling_initializer as uniform_unit_scaling_initializer
from runtime.state.initializers import variance_scaling_initializer as variance_scaling_initializer
from runtime.state.initializers import zeros_initializer as zeros_initializer
from runtime.state.module import Module as Module
from runtime.state.scatter_update import VariableAggregation as VariableAggregation
from runtime.state.scatter_update import VariableSynchronization as VariableSynchronization
from runtime.state.variable import Variable as Variable
from runtime.types.aliases import AxisLike
from runtime.types.aliases import DTypeLike
from runtime.types.aliases import ShapeLike
from runtime.types.aliases import TensorLike
from runtime.types.device_spec import DeviceSpec as DeviceSpec
from runtime.types.dtypes import DType as DType
from runtime.types.dtypes import as_dtype as as_dtype
from runtime.types.errors import OpError as OpError
from runtime.types.shapes import TensorShape as TensorShape
from runtime.types.shapes import TensorSpec as TensorSpec
from runtime.types.shapes import TypeSpec as TypeSpec
from typing import Any
import autograph as autograph
import builtins as _builtins

AUTO_REUSE: Any
def Print(input_: TensorLike, data: TensorLike, message: str | None = None, first_n: int | None = None, summarize: int | None = None, name: str | None = None) -> Tensor: ...
def abs(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the absolute value of each element; of a complex number the modulus.

    Args:
        x: tensor of a numeric dtype.
    Returns:
        Tensor of the shape of ``x``, of its dtype or, if it is complex, of the parts' dtype.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def accumulate_n(inputs: Any, shape: ShapeLike | None = None, tensor_dtype: DTypeLike | None = None, name: str | None = None) -> Tensor: ...
def acos(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the inverse cosine of each element; NaN beyond -1 and 1.

    Args:
        x: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def acosh(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the inverse hyperbolic cosine of each element; NaN below 1.

    Args:
        x: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def add(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Add two tensors element-wise, with broadcasting; join strings.

    Args:
        x, y: tensors of one numeric or string dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def add_n(inputs: Any, name: str | None = None) -> Tensor: ...
def angle(input: TensorLike, name: str | None = None) -> Tensor:
    """Compute the angle of each number in the complex plane, from -pi to pi.

    Args:
        input: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape of ``input``, of its dtype or, if it is complex, of the parts' dtype.
    Raises:
        InvalidArgumentError: ``input`` has another dtype (also a TypeError).
    """
def approximate_equal(x: TensorLike, y: TensorLike, tolerance: float = 1e-05, name: str | None = None) -> Tensor: ...
def arg_max(input: TensorLike, dimension: AxisLike, output_type: DTypeLike = ..., name: str | None = None) -> Tensor: ...
def arg_min(input: TensorLike, dimension: AxisLike, output_type: DTypeLike = ..., name: str | None = None) -> Tensor: ...
def argmax(input: TensorLike, axis: AxisLike | None = None, output_type: DTypeLike = ..., name: str | None = None) -> Tensor: ...
def argmin(input: TensorLike, axis: AxisLike | None = None, output_type: DTypeLike = ..., name: str | None = None) -> Tensor: ...
def argsort(values: TensorLike, axis: int = -1, direction: str = 'ASCENDING', stable: _builtins.bool = False, name: str | None = None) -> Tensor: ...
def as_string(input: TensorLike, precision: int = -1, scientific: _builtins.bool = False, shortest: _builtins.bool = False, width: int = -1, fill: str = '', name: str | None = None) -> Tensor: ...
def asin(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the inverse sine of each element; NaN beyond -1 and 1.

    Args:
        x: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def asinh(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the inverse hyperbolic sine of each element.

    Args:
        x: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def assert_equal(x: TensorLike, y: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None) -> Any:
    """Assert that ``x == y`` holds for every element.

    Args:
        x: tensor of any dtype that compares so.
        y: tensor of the same dtype that broadcasts.
        message: text at the beginning of the message.
        summarize: number of elements that the message shows; 3 by default, -1 for all.
    Returns:
        None; in a graph the operation that asserts.
    Raises:
        InvalidArgumentError: the condition does not hold, eagerly or when the graph runs.
    """
def assert_greater(x: TensorLike, y: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None) -> Any:
    """Assert that ``x > y`` holds for every element.

    Args:
        x: tensor of any dtype that compares so.
        y: tensor of the same dtype that broadcasts.
        message: text at the beginning of the message.
        summarize: number of elements that the message shows; 3 by default, -1 for all.
    Returns:
        None; in a graph the operation that asserts.
    Raises:
        InvalidArgumentError: the condition does not hold, eagerly or when the graph runs.
    """
def assert_greater_equal(x: TensorLike, y: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None) -> Any:
    """Assert that ``x >= y`` holds for every element.

    Args:
        x: tensor of any dtype that compares so.
        y: tensor of the same dtype that broadcasts.
        message: text at the beginning of the message.
        summarize: number of elements that the message shows; 3 by default, -1 for all.
    Returns:
        None; in a graph the operation that asserts.
    Raises:
        InvalidArgumentError: the condition does not hold, eagerly or when the graph runs.
    """
def assert_less(x: TensorLike, y: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None) -> Any:
    """Assert that ``x < y`` holds for every element.

    Args:
        x: tensor of any dtype that compares so.
        y: tensor of the same dtype that broadcasts.
        message: text at the beginning of the message.
        summarize: number of elements that the message shows; 3 by default, -1 for all.
    Returns:
        None; in a graph the operation that asserts.
    Raises:
        InvalidArgumentError: the condition does not hold, eagerly or when the graph runs.
    """
def assert_less_equal(x: TensorLike, y: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None) -> Any:
    """Assert that ``x <= y`` holds for every element.

    Args:
        x: tensor of any dtype that compares so.
        y: tensor of the same dtype that broadcasts.
        message: text at the beginning of the message.
        summarize: number of elements that the message shows; 3 by default, -1 for all.
    Returns:
        None; in a graph the operation that asserts.
    Raises:
        InvalidArgumentError: the condition does not hold, eagerly or when the graph runs.
    """
def assert_negative(x: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None) -> Any:
    """Assert that ``x < 0`` holds for every element.

    Args:
        x: tensor of an integer or floating dtype.
        message: text at the beginning of the message.
        summarize: number of elements that the message shows; 3 by default, -1 for all.
    Returns:
        None; in a graph the operation that asserts.
    Raises:
        InvalidArgumentError: the condition does not hold, eagerly or when the graph runs.
    """
def assert_non_negative(x: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None) -> Any:
    """Assert that ``x >= 0`` holds for every element.

    Args:
        x: tensor of an integer or floating dtype.
        message: text at the beginning of the message.
        summarize: number of elements that the message shows; 3 by default, -1 for all.
    Returns:
        None; in a graph the operation that asserts.
    Raises:
        InvalidArgumentError: the condition does not hold, eagerly or when the graph runs.
    """
def assert_non_positive(x: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None) -> Any:
    """Assert that ``x <= 0`` holds for every element.

    Args:
        x: tensor of an integer or floating dtype.
        message: text at the beginning of the message.
        summarize: number of elements that the message shows; 3 by default, -1 for all.
    Returns:
        None; in a graph the operation that asserts.
    Raises:
        InvalidArgumentError: the condition does not hold, eagerly or when the graph runs.
    """
def assert_positive(x: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None) -> Any:
    """Assert that ``x > 0`` holds for every element.

    Args:
        x: tensor of an integer or floating dtype.
        message: text at the beginning of the message.
        summarize: number of elements that the message shows; 3 by default, -1 for all.
    Returns:
        None; in a graph the operation that asserts.
    Raises:
        InvalidArgumentError: the condition does not hold, eagerly or when the graph runs.
    """
def assert_scalar(tensor: TensorLike, message: str | None = None, name: str | None = None) -> Tensor: ...
def atan(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the inverse tangent of each element.

    Args:
        x: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def atan2(y: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the angle of the point ``(x, y)`` element-wise, from -pi to pi.

    Args:
        y, x: tensors of one floating dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def atanh(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the inverse hyperbolic tangent of each element; NaN beyond -1 and 1.

    Args:
        x: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def batch_gather(params: TensorLike, indices: TensorLike, name: str | None = None) -> Tensor: ...
def batch_scatter_update(ref: Any, indices: Any, updates: Any, use_locking: _builtins.bool = False, name: str | None = None) -> Any:
    """Call ``ref.batch_scatter_update(IndexedSlices(updates, indices))``, with TensorFlow 1's name and arguments.

    Args:
        ref: variable.
        indices: tensor of an integer dtype, the indices of rows of ``ref``.
        updates: tensor of the dtype of ``ref``.
        use_locking: ignored; assignments are atomic.
    Returns:
        What the method returns.
    Raises:
        InvalidArgumentError: an index is out of bounds, or the shapes do not fit.
        ValueError: ``updates`` is a tensor of another dtype.
    """
def batch_to_space(input: TensorLike, block_shape: TensorLike, crops: TensorLike, name: str | None = None) -> Tensor: ...
def batch_to_space_nd(input: TensorLike, block_shape: TensorLike, crops: TensorLike, name: str | None = None) -> Tensor: ...
def betainc(a: TensorLike, b: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the regularised incomplete beta function, with broadcasting.

    Args:
        a, b, x: tensors of one floating dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
        ModuleNotFoundError: SciPy, of the extra ``special``, is not installed.
    """
def bincount(arr: TensorLike, weights: TensorLike | None = None, minlength: TensorLike | None = None, maxlength: TensorLike | None = None, dtype: DTypeLike = ..., name: str | None = None, axis: AxisLike | None = None, binary_output: _builtins.bool = False) -> Tensor: ...
def bitcast(input: TensorLike, type: Any, name: str | None = None) -> Tensor: ...
bool: DType
def boolean_mask(tensor: TensorLike, mask: TensorLike, axis: AxisLike | None = None, name: str = 'boolean_mask') -> Tensor: ...
def broadcast_dynamic_shape(shape_x: ShapeLike, shape_y: ShapeLike) -> Tensor: ...
def broadcast_to(input: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor: ...
def cast(x: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor: ...
def ceil(x: TensorLike, name: str | None = None) -> Tensor:
    """Round each element up to a whole number.

    Args:
        x: tensor of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def check_numerics(tensor: TensorLike, message: str, name: str | None = None) -> Tensor: ...
def cholesky(input: TensorLike, name: str | None = None) -> Tensor:
    """Compute lower triangular matrices L with ``L @ adjoint(L) == input``.

    Args:
        input: tensor of shape (..., N, N) and of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        InvalidArgumentError: ``input`` has another dtype (also a TypeError); the last two axes differ
            in size (also a ValueError); a matrix is not positive definite.
    """
def cholesky_solve(chol: TensorLike, rhs: TensorLike, name: str | None = None) -> Tensor: ...
def clip_by_average_norm(t: TensorLike, clip_norm: TensorLike, name: str | None = None) -> Tensor: ...
def clip_by_norm(t: TensorLike, clip_norm: TensorLike, axes: AxisLike | None = None, name: str | None = None) -> Tensor: ...
def clip_by_value(t: TensorLike, clip_value_min: TensorLike, clip_value_max: TensorLike, name: str | None = None) -> Tensor: ...
def complex(real: TensorLike, imag: TensorLike, name: str | None = None) -> Tensor:
    """Make complex numbers of their real and imaginary parts, with broadcasting.

    Args:
        real, imag: tensors of one floating dtype.
    Returns:
        Tensor of dtype complex64 (float64: complex128) and of the broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
complex128: DType
complex64: DType
def concat(values: TensorLike, axis: AxisLike, name: str = 'concat') -> Tensor: ...
def confusion_matrix(labels: TensorLike, predictions: TensorLike, num_classes: TensorLike | None = None, weights: TensorLike | None = None, dtype: DTypeLike = ..., name: str | None = None) -> Tensor: ...
def conj(x: TensorLike, name: str | None = None) -> Tensor:
    """Conjugate each element; real numbers stay as they are.

    Args:
        x: tensor of a numeric dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def constant(value: TensorLike, dtype: DTypeLike | None = None, shape: ShapeLike | None = None, name: str = 'Const') -> Tensor: ...
def convert_to_tensor(value: TensorLike, dtype: DTypeLike | None = None, dtype_hint: DTypeLike | None = None, name: str | None = None) -> Tensor: ...
def cos(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the cosine of each element.

    Args:
        x: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def cosh(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the hyperbolic cosine of each element.

    Args:
        x: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def count_nonzero(input: TensorLike, axis: AxisLike | None = None, keepdims: _builtins.bool = False, dtype: DTypeLike = ..., name: str | None = None) -> Tensor: ...
def count_up_to(ref: Any, limit: int, name: str | None = None) -> Tensor: ...
def cross(a: TensorLike, b: TensorLike, name: str | None = None) -> Tensor:
    """Compute the cross products of vectors of three elements, the last axis.

    Args:
        a, b: tensors of shape (..., 3) and of one integer or floating dtype.
    Returns:
        Tensor of the shape and dtype of ``a``.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes differ or
            do not end in 3 (also a ValueError).
    """
def cumprod(x: TensorLike, axis: AxisLike = 0, exclusive: _builtins.bool = False, reverse: _builtins.bool = False, name: str | None = None) -> Tensor:
    """Compute the products of the elements up to each one along an axis.

    Args:
        x: tensor of a numeric dtype.
        axis: axis to go along; it may be a tensor.
        exclusive: whether to leave the element itself out.
        reverse: whether to go from the end to the beginning.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError), or the axis is out of range
            (also a ValueError).
    """
def cumsum(x: TensorLike, axis: AxisLike = 0, exclusive: _builtins.bool = False, reverse: _builtins.bool = False, name: str | None = None) -> Tensor:
    """Compute the sums of the elements up to each one along an axis.

    Args:
        x: tensor of a numeric dtype.
        axis: axis to go along; it may be a tensor.
        exclusive: whether to leave the element itself out.
        reverse: whether to go from the end to the beginning.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError), or the axis is out of range
            (also a ValueError).
    """
def cumulative_logsumexp(x: TensorLike, axis: AxisLike = 0, exclusive: _builtins.bool = False, reverse: _builtins.bool = False, name: str | None = None) -> Tensor:
    """Compute ``log(cumsum(exp(x)))`` along an axis, without overflow.

    Args:
        x: tensor of a floating dtype.
        axis: axis to go along; it may be a tensor.
        exclusive: whether to leave the element itself out.
        reverse: whether to go from the end to the beginning.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError), or the axis is out of range
            (also a ValueError).
    """
def depth_to_space(input: TensorLike, block_size: int, data_format: str = 'NHWC', name: str | None = None) -> Tensor: ...
def diag(diagonal: TensorLike, name: str | None = None) -> Tensor: ...
def diag_part(input: TensorLike, name: str | None = None) -> Tensor: ...
def digamma(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the derivative of ``lgamma`` for each element; NaN at 0, -1, -2, ...

    Recurrence, reflection and the asymptotic series: Abramowitz and Stegun, Handbook of Mathematical
    Functions (1964), section 6.3.

    Args:
        x: tensor of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def div(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor: ...
def div_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Divide ``x`` by ``y`` element-wise; the result is 0 where ``y`` is 0.

    Args:
        x, y: tensors of one numeric dtype.
    Returns:
        Tensor of the broadcast shape, of the inputs' dtype; of integers float64, of 8 and 16 bits
        float32.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def divide(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Divide ``x`` by ``y`` element-wise as Python's ``/`` does, with broadcasting.

    Args:
        x, y: tensors of one numeric dtype.
    Returns:
        Tensor of the broadcast shape, of the inputs' dtype; of integers float64, of 8 and 16 bits
        float32.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def divide_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Divide ``x`` by ``y`` element-wise; the result is 0 where ``y`` is 0.

    Args:
        x, y: tensors of one numeric dtype.
    Returns:
        Tensor of the broadcast shape, of the inputs' dtype; of integers float64, of 8 and 16 bits
        float32.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
double: DType
def dynamic_stitch(indices: Sequence[Any], data: Sequence[Any], name: str | None = None) -> Tensor: ...
def eig(tensor: TensorLike, name: str | None = None) -> _builtins.tuple[Tensor, Tensor]:
    """Compute the eigenvalues and the right eigenvectors of square matrices.

    Args:
        tensor: tensor of shape (..., N, N) and of a floating or complex dtype.
    Returns:
        (e, v): tensors of shape (..., N), (..., N, N), of dtype complex64 or complex128, whichever
        holds the dtype of ``tensor``; column i of v belongs to e[i].
    Raises:
        InvalidArgumentError: ``tensor`` has another dtype (also a TypeError); the last two axes differ
            in size (also a ValueError).
    """
def eigvals(tensor: TensorLike, name: str | None = None) -> Tensor:
    """Compute the eigenvalues of square matrices, in no particular order.

    Args:
        tensor: tensor of shape (..., N, N) and of a floating or complex dtype.
    Returns:
        Tensor of shape (..., N) and of dtype complex64 or complex128, whichever holds the dtype of
        ``tensor``.
    Raises:
        InvalidArgumentError: ``tensor`` has another dtype (also a TypeError); the last two axes differ
            in size (also a ValueError).
    """
def einsum(equation: str, *inputs: Any, optimize: str = 'greedy', name: str | None = None) -> Tensor: ...
def ensure_shape(x: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor: ...
def equal(x: TensorLike, y: TensorLike, *, incompatible_shape_error: _builtins.bool = True, name: str | None = None) -> Tensor:
    """Test whether ``x == y`` element-wise, with broadcasting.

    Args:
        x, y: tensors of one dtype.
    Returns:
        Tensor of dtype bool and of the inputs' broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ (also a TypeError); the shapes do not broadcast (also a
            ValueError).
    """
def erf(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the error function of each element.

    Chebyshev interpolants around the identities of Abramowitz and Stegun, Handbook of Mathematical
    Functions (1964), chapter 7.

    Args:
        x: tensor of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def erfc(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute ``1 - erf(x)`` for each element, accurately for large ``x``.

    Chebyshev interpolants around the identities of Abramowitz and Stegun, Handbook of Mathematical
    Functions (1964), chapter 7.

    Args:
        x: tensor of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def exp(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute ``e ** x`` for each element.

    Args:
        x: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def expand_dims(input: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor: ...
def expm1(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute ``exp(x) - 1`` for each element, accurately near 0.

    Args:
        x: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def extract_image_patches(images: TensorLike, ksizes: Any, strides: Any, rates: Any, padding: str, name: str | None = None) -> Tensor: ...
def eye(num_rows: TensorLike, num_columns: TensorLike | None = None, batch_shape: ShapeLike | None = None, dtype: DTypeLike = ..., name: str | None = None) -> Tensor: ...
def fft(input: TensorLike, name: str | None = None) -> Tensor:
    """Compute the Fourier transform along the last axis or axes: 1.

    By NumPy's pocketfft: Cooley and Tukey: An Algorithm for the Machine Calculation of
    Complex Fourier Series (1965); for large prime factors Bluestein's algorithm (1970).

    Args:
        input: tensor of a complex dtype, of rank 1 or more.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        InvalidArgumentError: the dtype is another one (also a TypeError), or the rank is less (also a
            ValueError).
    """
def fft2d(input: TensorLike, name: str | None = None) -> Tensor:
    """Compute the Fourier transform along the last axis or axes: 2.

    By NumPy's pocketfft: Cooley and Tukey: An Algorithm for the Machine Calculation of
    Complex Fourier Series (1965); for large prime factors Bluestein's algorithm (1970).

    Args:
        input: tensor of a complex dtype, of rank 2 or more.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        InvalidArgumentError: the dtype is another one (also a TypeError), or the rank is less (also a
            ValueError).
    """
def fft3d(input: TensorLike, name: str | None = None) -> Tensor:
    """Compute the Fourier transform along the last axis or axes: 3.

    By NumPy's pocketfft: Cooley and Tukey: An Algorithm for the Machine Calculation of
    Complex Fourier Series (1965); for large prime factors Bluestein's algorithm (1970).

    Args:
        input: tensor of a complex dtype, of rank 3 or more.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        InvalidArgumentError: the dtype is another one (also a TypeError), or the rank is less (also a
            ValueError).
    """
def fftnd(input_tensor: TensorLike, fft_length: Any = None, axes: AxisLike | None = None, norm: Any = None, name: str | None = None) -> Tensor:
    """Compute the Fourier transform along axes.

    By NumPy's pocketfft: Cooley and Tukey: An Algorithm for the Machine Calculation of
    Complex Fourier Series (1965); for large prime factors Bluestein's algorithm (1970).

    Args:
        input_tensor: tensor of a complex dtype.
        fft_length: lengths to which the axes are cut or filled with zeros; by default their own.
        axes: axes of the transform; by default the last ones, as many as lengths, or all.
        norm: 'backward' (the default), 'ortho' or 'forward': where the scale is applied.
    Returns:
        Tensor of the rank of ``input_tensor``, of the complex or real dtype of the transform.
    Raises:
        ValueError: ``norm`` is unknown, or there are not as many lengths as axes.
        InvalidArgumentError: the dtype is another one (also a TypeError), or an axis is out of range
            (also a ValueError).
    """
def fill(dims: ShapeLike, value: TensorLike, name: str | None = None) -> Tensor: ...
float16: DType
float32: DType
float64: DType
def floor(x: TensorLike, name: str | None = None) -> Tensor:
    """Round each element down to a whole number.

    Args:
        x: tensor of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def floor_div(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Divide element-wise and round down, as Python's ``//`` does.

    Args:
        x, y: tensors of one integer or floating dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError); an integer is divided by zero.
    """
def floordiv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Divide element-wise and round down, as Python's ``//`` does.

    Args:
        x, y: tensors of one integer or floating dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError); an integer is divided by zero.
    """
def floormod(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute the remainder of ``x // y``, with the sign of ``y`` as Python's ``%``.

    Args:
        x, y: tensors of one integer or floating dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError); an integer is divided by zero.
    """
def gather(params: TensorLike, indices: TensorLike, validate_indices: Any = None, axis: AxisLike | None = None, batch_dims: int = 0, name: str | None = None) -> Tensor: ...
def gather_nd(params: TensorLike, indices: TensorLike, batch_dims: int = 0, name: str | None = None) -> Tensor: ...
def global_norm(t_list: Sequence[Any], name: str | None = None) -> Tensor: ...
def greater(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Test whether ``x > y`` element-wise, with broadcasting.

    Args:
        x, y: tensors of one integer or floating dtype.
    Returns:
        Tensor of dtype bool and of the inputs' broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def greater_equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Test whether ``x >= y`` element-wise, with broadcasting.

    Args:
        x, y: tensors of one integer or floating dtype.
    Returns:
        Tensor of dtype bool and of the inputs' broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
half: DType
def histogram_fixed_width(values: TensorLike, value_range: TensorLike, nbins: TensorLike = 100, dtype: DTypeLike = ..., name: str | None = None) -> Tensor: ...
def histogram_fixed_width_bins(values: TensorLike, value_range: TensorLike, nbins: TensorLike = 100, dtype: DTypeLike = ..., name: str | None = None) -> Tensor: ...
def identity(input: TensorLike, name: str | None = None) -> Tensor:
    """Return a tensor with the same value.

    Args:
        input: tensor of any dtype.
    Returns:
        Tensor of the shape and dtype of ``input``.
    """
def ifft(input: TensorLike, name: str | None = None) -> Tensor:
    """Invert the Fourier transform along the last axis or axes: 1.

    By NumPy's pocketfft: Cooley and Tukey: An Algorithm for the Machine Calculation of
    Complex Fourier Series (1965); for large prime factors Bluestein's algorithm (1970).

    Args:
        input: tensor of a complex dtype, of rank 1 or more.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        InvalidArgumentError: the dtype is another one (also a TypeError), or the rank is less (also a
            ValueError).
    """
def ifft2d(input: TensorLike, name: str | None = None) -> Tensor:
    """Invert the Fourier transform along the last axis or axes: 2.

    By NumPy's pocketfft: Cooley and Tukey: An Algorithm for the Machine Calculation of
    Complex Fourier Series (1965); for large prime factors Bluestein's algorithm (1970).

    Args:
        input: tensor of a complex dtype, of rank 2 or more.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        InvalidArgumentError: the dtype is another one (also a TypeError), or the rank is less (also a
            ValueError).
    """
def ifft3d(input: TensorLike, name: str | None = None) -> Tensor:
    """Invert the Fourier transform along the last axis or axes: 3.

    By NumPy's pocketfft: Cooley and Tukey: An Algorithm for the Machine Calculation of
    Complex Fourier Series (1965); for large prime factors Bluestein's algorithm (1970).

    Args:
        input: tensor of a complex dtype, of rank 3 or more.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        InvalidArgumentError: the dtype is another one (also a TypeError), or the rank is less (also a
            ValueError).
    """
def ifftnd(input_tensor: TensorLike, fft_length: Any = None, axes: AxisLike | None = None, norm: Any = None, name: str | None = None) -> Tensor:
    """Invert the Fourier transform along axes.

    By NumPy's pocketfft: Cooley and Tukey: An Algorithm for the Machine Calculation of
    Complex Fourier Series (1965); for large prime factors Bluestein's algorithm (1970).

    Args:
        input_tensor: tensor of a complex dtype.
        fft_length: lengths to which the axes are cut or filled with zeros; by default their own.
        axes: axes of the transform; by default the last ones, as many as lengths, or all.
        norm: 'backward' (the default), 'ortho' or 'forward': where the scale is applied.
    Returns:
        Tensor of the rank of ``input_tensor``, of the complex or real dtype of the transform.
    Raises:
        ValueError: ``norm`` is unknown, or there are not as many lengths as axes.
        InvalidArgumentError: the dtype is another one (also a TypeError), or an axis is out of range
            (also a ValueError).
    """
def igamma(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the lower regularised incomplete gamma function, with broadcasting.

    Args:
        a, x: tensors of one floating dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
        ModuleNotFoundError: SciPy, of the extra ``special``, is not installed.
    """
def igammac(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the upper regularised incomplete gamma function ``1 - igamma(a, x)``.

    Args:
        a, x: tensors of one floating dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
        ModuleNotFoundError: SciPy, of the extra ``special``, is not installed.
    """
def imag(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the imaginary part of each element; 0 for real numbers.

    Args:
        input: tensor of a numeric dtype.
    Returns:
        Tensor of the shape of ``input``, of its dtype or, if it is complex, of the parts' dtype.
    Raises:
        InvalidArgumentError: ``input`` has another dtype (also a TypeError).
    """
int16: DType
int32: DType
int64: DType
int8: DType
def invert_permutation(x: TensorLike, name: str | None = None) -> Tensor:
    """Invert a permutation: ``y[x[i]] == i``.

    Args:
        x: tensor of a signed integer dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError); ``x`` does not hold each of
            the numbers 0 .. n - 1 once.
    """
def irfftnd(input_tensor: TensorLike, fft_length: Any = None, axes: AxisLike | None = None, norm: Any = None, name: str | None = None) -> Tensor:
    """Invert the Fourier transform of real numbers along axes.

    By NumPy's pocketfft: Cooley and Tukey: An Algorithm for the Machine Calculation of
    Complex Fourier Series (1965); for large prime factors Bluestein's algorithm (1970).

    Args:
        input_tensor: tensor of a complex dtype.
        fft_length: lengths to which the axes are cut or filled with zeros; by default their own.
        axes: axes of the transform; by default the last ones, as many as lengths, or all.
        norm: 'backward' (the default), 'ortho' or 'forward': where the scale is applied.
    Returns:
        Tensor of the rank of ``input_tensor``, of the complex or real dtype of the transform.
    Raises:
        ValueError: ``norm`` is unknown, or there are not as many lengths as axes.
        InvalidArgumentError: the dtype is another one (also a TypeError), or an axis is out of range
            (also a ValueError).
    """
def is_finite(x: TensorLike, name: str | None = None) -> Tensor:
    """Test whether each element is neither infinite nor NaN.

    Args:
        x: tensor of a floating dtype.
    Returns:
        Tensor of dtype bool and of the shape of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def is_inf(x: TensorLike, name: str | None = None) -> Tensor:
    """Test whether each element is infinite.

    Args:
        x: tensor of a floating dtype.
    Returns:
        Tensor of dtype bool and of the shape of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def is_nan(x: TensorLike, name: str | None = None) -> Tensor:
    """Test whether each element is NaN.

    Args:
        x: tensor of a floating dtype.
    Returns:
        Tensor of dtype bool and of the shape of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def is_non_decreasing(x: TensorLike, name: str | None = None) -> Tensor: ...
def is_strictly_increasing(x: TensorLike, name: str | None = None) -> Tensor: ...
def is_variable_initialized(variable: Variable) -> Tensor: ...
def lbeta(x: TensorLike, name: str | None = None) -> Tensor: ...
def less(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Test whether ``x < y`` element-wise, with broadcasting.

    Args:
        x, y: tensors of one integer or floating dtype.
    Returns:
        Tensor of dtype bool and of the inputs' broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def less_equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Test whether ``x <= y`` element-wise, with broadcasting.

    Args:
        x, y: tensors of one integer or floating dtype.
    Returns:
        Tensor of dtype bool and of the inputs' broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def lgamma(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute ``log(abs(gamma(x)))`` for each element; infinite at 0, -1, -2, ...

    Recurrence, reflection and Stirling's series: Abramowitz and Stegun, Handbook of Mathematical
    Functions (1964), chapter 6.

    Args:
        x: tensor of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def lin_space(start: TensorLike, stop: TensorLike, num: TensorLike, name: str | None = None, axis: int = 0) -> Tensor: ...
def linspace(start: TensorLike, stop: TensorLike, num: TensorLike, name: str | None = None, axis: int = 0) -> Tensor: ...
def log(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the natural logarithm of each element; NaN below 0.

    Args:
        x: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def log1p(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute ``log(1 + x)`` for each element, accurately near 0.

    Args:
        x: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def log_sigmoid(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute ``log(sigmoid(x))`` for each element, without overflow.

    Args:
        x: tensor of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def logical_and(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute the logical AND of booleans element-wise, with broadcasting.

    Args:
        x, y: tensors of one bool dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def logical_not(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the logical NOT of each boolean.

    Args:
        x: tensor of a bool dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def logical_or(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute the logical OR of booleans element-wise, with broadcasting.

    Args:
        x, y: tensors of one bool dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def logical_xor(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute the logical XOR of booleans element-wise, with broadcasting.

    Args:
        x, y: tensors of one bool dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def matmul(a: TensorLike, b: TensorLike, transpose_a: _builtins.bool = False, transpose_b: _builtins.bool = False, adjoint_a: _builtins.bool = False, adjoint_b: _builtins.bool = False, a_is_sparse: _builtins.bool = False, b_is_sparse: _builtins.bool = False, output_type: DTypeLike | None = None, name: str | None = None) -> Tensor: ...
def matrix_band_part(input: TensorLike, num_lower: TensorLike, num_upper: TensorLike, name: str | None = None) -> Tensor:
    """Set the elements of matrices outside of a band of diagonals to zero.

    Args:
        input: tensor of a numeric or bool dtype, of shape (..., M, N).
        num_lower: number of diagonals kept below the main one, an integer scalar; -1 for all.
        num_upper: number of diagonals kept above the main one, an integer scalar; -1 for all.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        InvalidArgumentError: ``input`` has another dtype (also a TypeError) or a rank below 2 (also a
            ValueError).
    """
def matrix_determinant(input: TensorLike, name: str | None = None) -> Tensor:
    """Compute the determinants of square matrices.

    Args:
        input: tensor of shape (..., N, N) and of a floating or complex dtype.
    Returns:
        Tensor of the batch's shape and of the dtype of ``input``.
    Raises:
        InvalidArgumentError: ``input`` has another dtype (also a TypeError); the last two axes differ
            in size (also a ValueError).
    """
def matrix_diag(diagonal: TensorLike, name: str = 'diag', k: TensorLike = 0, num_rows: TensorLike = -1, num_cols: Any = -1, padding_value: TensorLike = 0, align: str = 'RIGHT_LEFT') -> Tensor: ...
def matrix_diag_part(input: TensorLike, name: str = 'diag_part', k: TensorLike = 0, padding_value: TensorLike = 0, align: str = 'RIGHT_LEFT') -> Tensor: ...
def matrix_inverse(input: TensorLike, adjoint: _builtins.bool = False, name: str | None = None) -> Tensor: ...
def matrix_set_diag(input: TensorLike, diagonal: TensorLike, name: str = 'set_diag', k: TensorLike = 0, align: str = 'RIGHT_LEFT') -> Tensor: ...
def matrix_solve(matrix: TensorLike, rhs: TensorLike, adjoint: _builtins.bool = False, name: str | None = None) -> Tensor: ...
def matrix_solve_ls(matrix: TensorLike, rhs: TensorLike, l2_regularizer: TensorLike = 0.0, fast: _builtins.bool = True, name: str | None = None) -> Tensor: ...
def matrix_square_root(input: TensorLike, name: str | None = None) -> Tensor:
    """Compute the principal square roots of square matrices; NaN for real ones without one.

    Deadman, Higham, Ralha: Blocked Schur Algorithms for Computing the Matrix Square Root (2013).

    Args:
        input: tensor of shape (..., N, N) and of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        InvalidArgumentError: ``input`` has another dtype (also a TypeError); the last two axes differ
            in size (also a ValueError).
        ModuleNotFoundError: SciPy, of the extra ``special``, is not installed.
    """
def matrix_transpose(a: TensorLike, name: str = 'matrix_transpose', conjugate: _builtins.bool = False) -> Tensor: ...
def matrix_triangular_solve(matrix: TensorLike, rhs: TensorLike, lower: _builtins.bool = True, adjoint: _builtins.bool = False, name: str | None = None) -> Tensor: ...
def maximum(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute the greater of ``x`` and ``y`` element-wise; NaN where either is NaN.

    Args:
        x, y: tensors of one integer or floating dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def minimum(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute the lesser of ``x`` and ``y`` element-wise; NaN where either is NaN.

    Args:
        x, y: tensors of one integer or floating dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def mod(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute the remainder of ``x // y``, with the sign of ``y`` as Python's ``%``.

    Args:
        x, y: tensors of one integer or floating dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError); an integer is divided by zero.
    """
def multinomial(logits: TensorLike, num_samples: TensorLike, seed: int | None = None, name: str | None = None, output_dtype: DTypeLike | None = None) -> Tensor: ...
def multiply(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Multiply two tensors element-wise, with broadcasting.

    Args:
        x, y: tensors of one numeric dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def multiply_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Multiply element-wise; the result is 0 where ``y`` is 0, even for infinite or NaN ``x``.

    Args:
        x, y: tensors of one floating or complex dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def negative(x: TensorLike, name: str | None = None) -> Tensor:
    """Negate each element.

    Args:
        x: tensor of a numeric dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
newaxis: Any
def norm(tensor: TensorLike, ord: Any = 'euclidean', axis: AxisLike | None = None, keepdims: _builtins.bool = False, name: str | None = None) -> Tensor: ...
def not_equal(x: TensorLike, y: TensorLike, *, incompatible_shape_error: _builtins.bool = True, name: str | None = None) -> Tensor:
    """Test whether ``x != y`` element-wise, with broadcasting.

    Args:
        x, y: tensors of one dtype.
    Returns:
        Tensor of dtype bool and of the inputs' broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ (also a TypeError); the shapes do not broadcast (also a
            ValueError).
    """
def one_hot(indices: TensorLike, depth: TensorLike, on_value: TensorLike | None = None, off_value: TensorLike | None = None, axis: AxisLike | None = None, dtype: DTypeLike | None = None, name: str | None = None) -> Tensor: ...
def ones(shape: ShapeLike, dtype: DTypeLike = ..., name: str | None = None) -> Tensor: ...
def ones_like(input: TensorLike, dtype: DTypeLike | None = None, name: str | None = None) -> Tensor: ...
def pad(tensor: TensorLike, paddings: TensorLike, mode: str = 'CONSTANT', constant_values: TensorLike = 0, name: str | None = None) -> Tensor: ...
def parallel_stack(values: Sequence[Any], name: str = 'parallel_stack') -> Tensor: ...
def placeholder_with_default(input: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor: ...
def polygamma(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the derivative of order ``a``, a whole number, of ``digamma`` at ``x``.

    By the Hurwitz zeta function: Abramowitz and Stegun, Handbook of Mathematical Functions (1964),
    6.4.10.

    Args:
        a, x: tensors of one floating dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
        ModuleNotFoundError: SciPy, of the extra ``special``, is not installed.
    """
def pow(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Raise ``x`` to the power ``y`` element-wise, with broadcasting.

    Args:
        x, y: tensors of one numeric dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError); an integer has a negative exponent.
    """
def random_crop(value: TensorLike, size: TensorLike, seed: int | None = None, name: str | None = None) -> Tensor: ...
def random_gamma(shape: ShapeLike, alpha: TensorLike, beta: TensorLike | None = None, dtype: DTypeLike = ..., seed: int | None = None, name: str | None = None) -> Tensor: ...
def random_normal(shape: ShapeLike, mean: TensorLike = 0.0, stddev: TensorLike = 1.0, dtype: DTypeLike = ..., seed: int | None = None, name: str | None = None) -> Tensor: ...
def random_poisson(lam: TensorLike, shape: ShapeLike, dtype: DTypeLike = ..., seed: int | None = None, name: str | None = None) -> Tensor: ...
def random_shuffle(value: TensorLike, seed: int | None = None, name: str | None = None) -> Tensor: ...
def random_uniform(shape: ShapeLike, minval: TensorLike = 0, maxval: TensorLike | None = None, dtype: DTypeLike = ..., seed: int | None = None, name: str | None = None) -> Tensor: ...
def range(start: TensorLike, limit: TensorLike | None = None, delta: TensorLike = 1, dtype: DTypeLike | None = None, name: str = 'range') -> Tensor: ...
def rank(input: TensorLike, name: str | None = None) -> Tensor: ...
def real(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the real part of each element; real numbers stay as they are.

    Args:
        input: tensor of a numeric dtype.
    Returns:
        Tensor of the shape of ``input``, of its dtype or, if it is complex, of the parts' dtype.
    Raises:
        InvalidArgumentError: ``input`` has another dtype (also a TypeError).
    """
def realdiv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Divide ``x`` by ``y`` element-wise, with broadcasting.

    Args:
        x, y: tensors of one floating or complex dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def reciprocal(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute ``1 / x`` for each element.

    Args:
        x: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def reduce_all(input_tensor: TensorLike, axis: AxisLike | None = None, keepdims: _builtins.bool = False, name: str | None = None) -> Tensor:
    """Test whether all elements are true along axes.

    Args:
        input_tensor: tensor of a bool dtype.
        axis: axis or axes to reduce; by default all. It may be a tensor.
        keepdims: whether to keep the axes with size 1.
    Returns:
        Tensor of the dtype of ``input_tensor``, without the axes.
    Raises:
        InvalidArgumentError: ``input_tensor`` has another dtype (also a TypeError), or an axis is out
            of range (also a ValueError).
    """
def reduce_any(input_tensor: TensorLike, axis: AxisLike | None = None, keepdims: _builtins.bool = False, name: str | None = None) -> Tensor:
    """Test whether any element is true along axes.

    Args:
        input_tensor: tensor of a bool dtype.
        axis: axis or axes to reduce; by default all. It may be a tensor.
        keepdims: whether to keep the axes with size 1.
    Returns:
        Tensor of the dtype of ``input_tensor``, without the axes.
    Raises:
        InvalidArgumentError: ``input_tensor`` has another dtype (also a TypeError), or an axis is out
            of range (also a ValueError).
    """
def reduce_euclidean_norm(input_tensor: TensorLike, axis: AxisLike | None = None, keepdims: _builtins.bool = False, name: str | None = None) -> Tensor: ...
def reduce_join(inputs: Any, axis: AxisLike | None = None, keepdims: _builtins.bool = False, separator: str = '', name: str | None = None) -> Tensor: ...
def reduce_logsumexp(input_tensor: TensorLike, axis: AxisLike | None = None, keepdims: _builtins.bool = False, name: str | None = None) -> Tensor:
    """Compute ``log(sum(exp(x)))`` without overflow along axes.

    Args:
        input_tensor: tensor of a floating dtype.
        axis: axis or axes to reduce; by default all. It may be a tensor.
        keepdims: whether to keep the axes with size 1.
    Returns:
        Tensor of the dtype of ``input_tensor``, without the axes.
    Raises:
        InvalidArgumentError: ``input_tensor`` has another dtype (also a TypeError), or an axis is out
            of range (also a ValueError).
    """
def reduce_max(input_tensor: TensorLike, axis: AxisLike | None = None, keepdims: _builtins.bool = False, name: str | None = None) -> Tensor:
    """Find the greatest element along axes.

    Args:
        input_tensor: tensor of an integer or floating dtype.
        axis: axis or axes to reduce; by default all. It may be a tensor.
        keepdims: whether to keep the axes with size 1.
    Returns:
        Tensor of the dtype of ``input_tensor``, without the axes.
    Raises:
        InvalidArgumentError: ``input_tensor`` has another dtype (also a TypeError), or an axis is out
            of range (also a ValueError).
    """
def reduce_mean(input_tensor: TensorLike, axis: AxisLike | None = None, keepdims: _builtins.bool = False, name: str | None = None) -> Tensor:
    """Compute the mean of the elements (of integers, truncated towards zero) along axes.

    Args:
        input_tensor: tensor of a numeric dtype.
        axis: axis or axes to reduce; by default all. It may be a tensor.
        keepdims: whether to keep the axes with size 1.
    Returns:
        Tensor of the dtype of ``input_tensor``, without the axes.
    Raises:
        InvalidArgumentError: ``input_tensor`` has another dtype (also a TypeError), or an axis is out
            of range (also a ValueError).
    """
def reduce_min(input_tensor: TensorLike, axis: AxisLike | None = None, keepdims: _builtins.bool = False, name: str | None = None) -> Tensor:
    """Find the least element along axes.

    Args:
        input_tensor: tensor of an integer or floating dtype.
        axis: axis or axes to reduce; by default all. It may be a tensor.
        keepdims: whether to keep the axes with size 1.
    Returns:
        Tensor of the dtype of ``input_tensor``, without the axes.
    Raises:
        InvalidArgumentError: ``input_tensor`` has another dtype (also a TypeError), or an axis is out
            of range (also a ValueError).
    """
def reduce_prod(input_tensor: TensorLike, axis: AxisLike | None = None, keepdims: _builtins.bool = False, name: str | None = None) -> Tensor:
    """Compute the product of the elements along axes.

    Args:
        input_tensor: tensor of a numeric dtype.
        axis: axis or axes to reduce; by default all. It may be a tensor.
        keepdims: whether to keep the axes with size 1.
    Returns:
        Tensor of the dtype of ``input_tensor``, without the axes.
    Raises:
        InvalidArgumentError: ``input_tensor`` has another dtype (also a TypeError), or an axis is out
            of range (also a ValueError).
    """
def reduce_std(input_tensor: TensorLike, axis: AxisLike | None = None, keepdims: _builtins.bool = False, name: str | None = None) -> Tensor:
    """Compute the standard deviation of the elements along axes.

    Args:
        input_tensor: tensor of a floating or complex dtype.
        axis: axis or axes to reduce; by default all. It may be a tensor.
        keepdims: whether to keep the axes with size 1.
    Returns:
        Tensor of the dtype of ``input_tensor``, or of its parts if it is complex, without the axes.
    Raises:
        InvalidArgumentError: ``input_tensor`` has another dtype (also a TypeError), or an axis is out
            of range (also a ValueError).
    """
def reduce_sum(input_tensor: TensorLike, axis: AxisLike | None = None, keepdims: _builtins.bool = False, name: str | None = None) -> Tensor:
    """Compute the sum of the elements along axes.

    Args:
        input_tensor: tensor of a numeric dtype.
        axis: axis or axes to reduce; by default all. It may be a tensor.
        keepdims: whether to keep the axes with size 1.
    Returns:
        Tensor of the dtype of ``input_tensor``, without the axes.
    Raises:
        InvalidArgumentError: ``input_tensor`` has another dtype (also a TypeError), or an axis is out
            of range (also a ValueError).
    """
def reduce_variance(input_tensor: TensorLike, axis: AxisLike | None = None, keepdims: _builtins.bool = False, name: str | None = None) -> Tensor:
    """Compute the variance of the elements along axes.

    Args:
        input_tensor: tensor of a floating or complex dtype.
        axis: axis or axes to reduce; by default all. It may be a tensor.
        keepdims: whether to keep the axes with size 1.
    Returns:
        Tensor of the dtype of ``input_tensor``, or of its parts if it is complex, without the axes.
    Raises:
        InvalidArgumentError: ``input_tensor`` has another dtype (also a TypeError), or an axis is out
            of range (also a ValueError).
    """
def regex_replace(input: TensorLike, pattern: TensorLike, rewrite: TensorLike, replace_global: _builtins.bool = True, name: str | None = None) -> Tensor: ...
def repeat(input: TensorLike, repeats: TensorLike, axis: AxisLike | None = None, name: str | None = None) -> Tensor: ...
def report_uninitialized_variables(var_list: Iterable[Any] | None = None, name: str = 'report_uninitialized_variables') -> Tensor: ...
def reshape(tensor: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor: ...
resource: DType
def reverse(tensor: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor: ...
def reverse_sequence(input: TensorLike, seq_lengths: TensorLike, seq_axis: AxisLike | None = None, batch_axis: AxisLike | None = None, name: str | None = None) -> Tensor: ...
def reverse_v2(tensor: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor: ...
def rfftnd(input_tensor: TensorLike, fft_length: Any = None, axes: AxisLike | None = None, norm: Any = None, name: str | None = None) -> Tensor:
    """Compute the Fourier transform of real numbers along axes.

    By NumPy's pocketfft: Cooley and Tukey: An Algorithm for the Machine Calculation of
    Complex Fourier Series (1965); for large prime factors Bluestein's algorithm (1970).

    Args:
        input_tensor: tensor of a floating dtype.
        fft_length: lengths to which the axes are cut or filled with zeros; by default their own.
        axes: axes of the transform; by default the last ones, as many as lengths, or all.
        norm: 'backward' (the default), 'ortho' or 'forward': where the scale is applied.
    Returns:
        Tensor of the rank of ``input_tensor``, of the complex or real dtype of the transform.
    Raises:
        ValueError: ``norm`` is unknown, or there are not as many lengths as axes.
        InvalidArgumentError: the dtype is another one (also a TypeError), or an axis is out of range
            (also a ValueError).
    """
def rint(x: TensorLike, name: str | None = None) -> Tensor:
    """Round each element to the nearest whole number, halves to the even one.

    Args:
        x: tensor of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def roll(input: TensorLike, shift: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor: ...
def round(x: TensorLike, name: str | None = None) -> Tensor:
    """Round each element to the nearest whole number, halves to the even one.

    Args:
        x: tensor of an integer or floating dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def rsqrt(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the reciprocal of the square root of each element.

    Args:
        x: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def saturate_cast(value: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor: ...
def scalar_mul(scalar: TensorLike, x: TensorLike, name: str | None = None) -> Tensor: ...
def scatter_add(ref: Any, indices: Any, updates: Any, use_locking: _builtins.bool = False, name: str | None = None) -> Any:
    """Call ``ref.scatter_add(IndexedSlices(updates, indices))``, with TensorFlow 1's name and arguments.

    Args:
        ref: variable.
        indices: tensor of an integer dtype, the indices of rows of ``ref``.
        updates: tensor of the dtype of ``ref``.
        use_locking: ignored; assignments are atomic.
    Returns:
        What the method returns.
    Raises:
        InvalidArgumentError: an index is out of bounds, or the shapes do not fit.
        ValueError: ``updates`` is a tensor of another dtype.
    """
def scatter_div(ref: Any, indices: Any, updates: Any, use_locking: _builtins.bool = False, name: str | None = None) -> Any:
    """Call ``ref.scatter_div(IndexedSlices(updates, indices))``, with TensorFlow 1's name and arguments.

    Args:
        ref: variable.
        indices: tensor of an integer dtype, the indices of rows of ``ref``.
        updates: tensor of the dtype of ``ref``.
        use_locking: ignored; assignments are atomic.
    Returns:
        What the method returns.
    Raises:
        InvalidArgumentError: an index is out of bounds, or the shapes do not fit.
        ValueError: ``updates`` is a tensor of another dtype.
    """
def scatter_max(ref: Any, indices: Any, updates: Any, use_locking: _builtins.bool = False, name: str | None = None) -> Any:
    """Call ``ref.scatter_max(IndexedSlices(updates, indices))``, with TensorFlow 1's name and arguments.

    Args:
        ref: variable.
        indices: tensor of an integer dtype, the indices of rows of ``ref``.
        updates: tensor of the dtype of ``ref``.
        use_locking: ignored; assignments are atomic.
    Returns:
        What the method returns.
    Raises:
        InvalidArgumentError: an index is out of bounds, or the shapes do not fit.
        ValueError: ``updates`` is a tensor of another dtype.
    """
def scatter_min(ref: Any, indices: Any, updates: Any, use_locking: _builtins.bool = False, name: str | None = None) -> Any:
    """Call ``ref.scatter_min(IndexedSlices(updates, indices))``, with TensorFlow 1's name and arguments.

    Args:
        ref: variable.
        indices: tensor of an integer dtype, the indices of rows of ``ref``.
        updates: tensor of the dtype of ``ref``.
        use_locking: ignored; assignments are atomic.
    Returns:
        What the method returns.
    Raises:
        InvalidArgumentError: an index is out of bounds, or the shapes do not fit.
        ValueError: ``updates`` is a tensor of another dtype.
    """
def scatter_mul(ref: Any, indices: Any, updates: Any, use_locking: _builtins.bool = False, name: str | None = None) -> Any:
    """Call ``ref.scatter_mul(IndexedSlices(updates, indices))``, with TensorFlow 1's name and arguments.

    Args:
        ref: variable.
        indices: tensor of an integer dtype, the indices of rows of ``ref``.
        updates: tensor of the dtype of ``ref``.
        use_locking: ignored; assignments are atomic.
    Returns:
        What the method returns.
    Raises:
        InvalidArgumentError: an index is out of bounds, or the shapes do not fit.
        ValueError: ``updates`` is a tensor of another dtype.
    """
def scatter_nd(indices: TensorLike, updates: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor: ...
def scatter_nd_add(ref: Any, indices: Any, updates: Any, use_locking: _builtins.bool = False, name: str | None = None) -> Any:
    """Call ``ref.scatter_nd_add(indices, updates)``, with TensorFlow 1's name and arguments.

    Args:
        ref: variable.
        indices: tensor of an integer dtype, the indices of elements or slices of ``ref``.
        updates: tensor of the dtype of ``ref``.
        use_locking: ignored; assignments are atomic.
    Returns:
        What the method returns.
    Raises:
        InvalidArgumentError: an index is out of bounds, or the shapes do not fit.
        ValueError: ``updates`` is a tensor of another dtype.
    """
def scatter_nd_sub(ref: Any, indices: Any, updates: Any, use_locking: _builtins.bool = False, name: str | None = None) -> Any:
    """Call ``ref.scatter_nd_sub(indices, updates)``, with TensorFlow 1's name and arguments.

    Args:
        ref: variable.
        indices: tensor of an integer dtype, the indices of elements or slices of ``ref``.
        updates: tensor of the dtype of ``ref``.
        use_locking: ignored; assignments are atomic.
    Returns:
        What the method returns.
    Raises:
        InvalidArgumentError: an index is out of bounds, or the shapes do not fit.
        ValueError: ``updates`` is a tensor of another dtype.
    """
def scatter_nd_update(ref: Any, indices: Any, updates: Any, use_locking: _builtins.bool = False, name: str | None = None) -> Any:
    """Call ``ref.scatter_nd_update(indices, updates)``, with TensorFlow 1's name and arguments.

    Args:
        ref: variable.
        indices: tensor of an integer dtype, the indices of elements or slices of ``ref``.
        updates: tensor of the dtype of ``ref``.
        use_locking: ignored; assignments are atomic.
    Returns:
        What the method returns.
    Raises:
        InvalidArgumentError: an index is out of bounds, or the shapes do not fit.
        ValueError: ``updates`` is a tensor of another dtype.
    """
def scatter_sub(ref: Any, indices: Any, updates: Any, use_locking: _builtins.bool = False, name: str | None = None) -> Any:
    """Call ``ref.scatter_sub(IndexedSlices(updates, indices))``, with TensorFlow 1's name and arguments.

    Args:
        ref: variable.
        indices: tensor of an integer dtype, the indices of rows of ``ref``.
        updates: tensor of the dtype of ``ref``.
        use_locking: ignored; assignments are atomic.
    Returns:
        What the method returns.
    Raises:
        InvalidArgumentError: an index is out of bounds, or the shapes do not fit.
        ValueError: ``updates`` is a tensor of another dtype.
    """
def scatter_update(ref: Any, indices: Any, updates: Any, use_locking: _builtins.bool = False, name: str | None = None) -> Any:
    """Call ``ref.scatter_update(IndexedSlices(updates, indices))``, with TensorFlow 1's name and arguments.

    Args:
        ref: variable.
        indices: tensor of an integer dtype, the indices of rows of ``ref``.
        updates: tensor of the dtype of ``ref``.
        use_locking: ignored; assignments are atomic.
    Returns:
        What the method returns.
    Raises:
        InvalidArgumentError: an index is out of bounds, or the shapes do not fit.
        ValueError: ``updates`` is a tensor of another dtype.
    """
def searchsorted(sorted_sequence: TensorLike, values: TensorLike, side: str = 'left', out_type: DTypeLike = ..., name: str | None = None) -> Tensor: ...
def segment_max(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Compute the maximum of the entries of each segment.

    Args:
        data: tensor of an integer or floating dtype, one entry for each segment id.
        segment_ids: vector of as many integers, ascending from 0 or more.
    Returns:
        Tensor of the dtype of ``data``, with as many entries as the greatest id + 1.
    Raises:
        InvalidArgumentError: the ids descend, are negative, or are not as many as the entries,
            or ``data`` has another dtype (also a TypeError).
    """
def segment_mean(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Compute the mean of the entries of each segment.

    Args:
        data: tensor of a numeric dtype, one entry for each segment id.
        segment_ids: vector of as many integers, ascending from 0 or more.
    Returns:
        Tensor of the dtype of ``data``, with as many entries as the greatest id + 1.
    Raises:
        InvalidArgumentError: the ids descend, are negative, or are not as many as the entries,
            or ``data`` has another dtype (also a TypeError).
    """
def segment_min(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Compute the minimum of the entries of each segment.

    Args:
        data: tensor of an integer or floating dtype, one entry for each segment id.
        segment_ids: vector of as many integers, ascending from 0 or more.
    Returns:
        Tensor of the dtype of ``data``, with as many entries as the greatest id + 1.
    Raises:
        InvalidArgumentError: the ids descend, are negative, or are not as many as the entries,
            or ``data`` has another dtype (also a TypeError).
    """
def segment_prod(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Compute the product of the entries of each segment.

    Args:
        data: tensor of a numeric dtype, one entry for each segment id.
        segment_ids: vector of as many integers, ascending from 0 or more.
    Returns:
        Tensor of the dtype of ``data``, with as many entries as the greatest id + 1.
    Raises:
        InvalidArgumentError: the ids descend, are negative, or are not as many as the entries,
            or ``data`` has another dtype (also a TypeError).
    """
def segment_sum(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Compute the sum of the entries of each segment.

    Args:
        data: tensor of a numeric dtype, one entry for each segment id.
        segment_ids: vector of as many integers, ascending from 0 or more.
    Returns:
        Tensor of the dtype of ``data``, with as many entries as the greatest id + 1.
    Raises:
        InvalidArgumentError: the ids descend, are negative, or are not as many as the entries,
            or ``data`` has another dtype (also a TypeError).
    """
def self_adjoint_eig(tensor: TensorLike, name: str | None = None) -> _builtins.tuple[Tensor, Tensor]:
    """Compute the eigenvalues, ascending, and eigenvectors of symmetric or Hermitian matrices.

    Args:
        tensor: tensor of shape (..., N, N) and of a floating or complex dtype.
    Returns:
        (e, v): tensors of shape (..., N), real, and (..., N, N) of the dtype of ``tensor``; column i of
        v belongs to e[i].
    Raises:
        InvalidArgumentError: ``tensor`` has another dtype (also a TypeError); the last two axes differ
            in size (also a ValueError).
    """
def self_adjoint_eigvals(tensor: TensorLike, name: str | None = None) -> Tensor:
    """Compute the eigenvalues of symmetric or Hermitian matrices, in ascending order.

    Args:
        tensor: tensor of shape (..., N, N) and of a floating or complex dtype.
    Returns:
        Tensor of shape (..., N) and of the dtype of ``tensor``.
    Raises:
        InvalidArgumentError: ``tensor`` has another dtype (also a TypeError); the last two axes differ
            in size (also a ValueError).
    """
def sequence_mask(lengths: TensorLike, maxlen: TensorLike | None = None, dtype: DTypeLike = ..., name: str | None = None) -> Tensor: ...
def setdiff1d(x: TensorLike, y: TensorLike, index_dtype: DTypeLike = ..., name: str | None = None) -> _builtins.tuple[Tensor, Tensor]: ...
def shape(input: TensorLike, out_type: DTypeLike = ..., name: str | None = None) -> Tensor: ...
def sigmoid(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the logistic function ``1 / (1 + exp(-x))`` of each element, without overflow.

    Args:
        x: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def sign(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the sign of each element: -1, 0 or 1; of a complex number ``x / abs(x)``.

    Args:
        x: tensor of a numeric dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def sin(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the sine of each element.

    Args:
        x: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def sinh(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the hyperbolic sine of each element.

    Args:
        x: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def size(input: TensorLike, out_type: DTypeLike = ..., name: str | None = None) -> Tensor: ...
def slice(input_: TensorLike, begin: TensorLike, size: TensorLike, name: str | None = None) -> Tensor: ...
def softplus(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute ``log(exp(x) + 1)`` for each element, without overflow.

    Args:
        x: tensor of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def sort(values: TensorLike, axis: int = -1, direction: str = 'ASCENDING', name: str | None = None) -> Tensor: ...
def space_to_batch(input: TensorLike, block_shape: TensorLike, paddings: TensorLike, name: str | None = None) -> Tensor: ...
def space_to_batch_nd(input: TensorLike, block_shape: TensorLike, paddings: TensorLike, name: str | None = None) -> Tensor: ...
def space_to_depth(input: TensorLike, block_size: int, data_format: str = 'NHWC', name: str | None = None) -> Tensor: ...
def sparse_segment_mean(data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: TensorLike | None = None, name: str | None = None, sparse_gradient: _builtins.bool = False) -> Tensor: ...
def sparse_segment_sqrt_n(data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: TensorLike | None = None, name: str | None = None, sparse_gradient: _builtins.bool = False) -> Tensor: ...
def sparse_segment_sum(data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: TensorLike | None = None, name: str | None = None, sparse_gradient: _builtins.bool = False) -> Tensor: ...
def sparse_tensor_dense_matmul(sp_a: Any, b: Any, adjoint_a: _builtins.bool = False, adjoint_b: _builtins.bool = False, name: str | None = None) -> Tensor: ...
def sparse_tensor_to_dense(sp_input: Any, default_value: TensorLike | None = None, validate_indices: _builtins.bool = True, name: str | None = None) -> Tensor: ...
def sparse_to_dense(sparse_indices: TensorLike, output_shape: TensorLike, sparse_values: TensorLike, default_value: TensorLike = 0, validate_indices: _builtins.bool = True, name: str | None = None) -> Tensor: ...
def sparse_to_indicator(sp_input: Any, vocab_size: int, name: str | None = None) -> Tensor: ...
def sqrt(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the square root of each element; NaN for negative numbers.

    Args:
        x: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def square(x: TensorLike, name: str | None = None) -> Tensor:
    """Square each element.

    Args:
        x: tensor of a numeric dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def squared_difference(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute ``conj(x - y) * (x - y)`` element-wise, with broadcasting.

    Args:
        x, y: tensors of one numeric dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def squeeze(input: TensorLike, axis: AxisLike | None = None, name: str | None = None) -> Tensor: ...
def stack(values: TensorLike, axis: int = 0, name: str = 'stack') -> Tensor: ...
def stop_gradient(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the tensor unchanged; derivatives treat it as a constant.

    Args:
        input: tensor of any dtype.
    Returns:
        Tensor of the shape and dtype of ``input``.
    """
def strided_slice(input_: TensorLike, begin: TensorLike, end: TensorLike, strides: Any = None, begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, var: Any = None, name: str | None = None) -> Tensor: ...
string: DType
def string_join(inputs: Any, separator: str = '', name: str | None = None) -> Tensor: ...
def string_length(input: TensorLike, unit: str = 'BYTE', name: str | None = None) -> Tensor: ...
def string_strip(input: TensorLike, name: str | None = None) -> Tensor: ...
def string_to_hash_bucket(input: TensorLike, num_buckets: int, name: str | None = None) -> Tensor: ...
def string_to_hash_bucket_fast(input: TensorLike, num_buckets: int, name: str | None = None) -> Tensor: ...
def string_to_hash_bucket_strong(input: TensorLike, num_buckets: int, key: Any, name: str | None = None) -> Tensor: ...
def string_to_number(input: TensorLike, out_type: DTypeLike = ..., name: str | None = None) -> Tensor: ...
def substr(input: TensorLike, pos: TensorLike, len: TensorLike, unit: str = 'BYTE', name: str | None = None) -> Tensor: ...
def subtract(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Subtract ``y`` from ``x`` element-wise, with broadcasting.

    Args:
        x, y: tensors of one numeric dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def tan(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the tangent of each element.

    Args:
        x: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def tanh(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the hyperbolic tangent of each element.

    Args:
        x: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def tensor_scatter_add(tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Tensor:
    """Add updates to slices of a tensor.

    Args:
        tensor: tensor of any dtype; of a numeric one to add or subtract, a real one to compare.
        indices: tensor of an integer dtype; its last axis holds an index into ``tensor``.
        updates: tensor of the dtype of ``tensor``, of shape
            ``indices.shape[:-1] + tensor.shape[indices.shape[-1]:]``.
    Returns:
        Tensor of the shape and dtype of ``tensor``.
    Raises:
        InvalidArgumentError: an index is out of bounds (also an IndexError), the shapes do not fit
            (also a ValueError), or the dtypes do not (also a TypeError).
    """
def tensor_scatter_nd_add(tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Tensor:
    """Add updates to slices of a tensor.

    Args:
        tensor: tensor of any dtype; of a numeric one to add or subtract, a real one to compare.
        indices: tensor of an integer dtype; its last axis holds an index into ``tensor``.
        updates: tensor of the dtype of ``tensor``, of shape
            ``indices.shape[:-1] + tensor.shape[indices.shape[-1]:]``.
    Returns:
        Tensor of the shape and dtype of ``tensor``.
    Raises:
        InvalidArgumentError: an index is out of bounds (also an IndexError), the shapes do not fit
            (also a ValueError), or the dtypes do not (also a TypeError).
    """
def tensor_scatter_nd_max(tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Tensor:
    """Raise slices of a tensor to updates at least.

    Args:
        tensor: tensor of any dtype; of a numeric one to add or subtract, a real one to compare.
        indices: tensor of an integer dtype; its last axis holds an index into ``tensor``.
        updates: tensor of the dtype of ``tensor``, of shape
            ``indices.shape[:-1] + tensor.shape[indices.shape[-1]:]``.
    Returns:
        Tensor of the shape and dtype of ``tensor``.
    Raises:
        InvalidArgumentError: an index is out of bounds (also an IndexError), the shapes do not fit
            (also a ValueError), or the dtypes do not (also a TypeError).
    """
def tensor_scatter_nd_min(tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Tensor:
    """Lower slices of a tensor to updates at most.

    Args:
        tensor: tensor of any dtype; of a numeric one to add or subtract, a real one to compare.
        indices: tensor of an integer dtype; its last axis holds an index into ``tensor``.
        updates: tensor of the dtype of ``tensor``, of shape
            ``indices.shape[:-1] + tensor.shape[indices.shape[-1]:]``.
    Returns:
        Tensor of the shape and dtype of ``tensor``.
    Raises:
        InvalidArgumentError: an index is out of bounds (also an IndexError), the shapes do not fit
            (also a ValueError), or the dtypes do not (also a TypeError).
    """
def tensor_scatter_nd_sub(tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Tensor:
    """Subtract updates from slices of a tensor.

    Args:
        tensor: tensor of any dtype; of a numeric one to add or subtract, a real one to compare.
        indices: tensor of an integer dtype; its last axis holds an index into ``tensor``.
        updates: tensor of the dtype of ``tensor``, of shape
            ``indices.shape[:-1] + tensor.shape[indices.shape[-1]:]``.
    Returns:
        Tensor of the shape and dtype of ``tensor``.
    Raises:
        InvalidArgumentError: an index is out of bounds (also an IndexError), the shapes do not fit
            (also a ValueError), or the dtypes do not (also a TypeError).
    """
def tensor_scatter_nd_update(tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Tensor:
    """Replace slices of a tensor.

    Args:
        tensor: tensor of any dtype; of a numeric one to add or subtract, a real one to compare.
        indices: tensor of an integer dtype; its last axis holds an index into ``tensor``.
        updates: tensor of the dtype of ``tensor``, of shape
            ``indices.shape[:-1] + tensor.shape[indices.shape[-1]:]``.
    Returns:
        Tensor of the shape and dtype of ``tensor``.
    Raises:
        InvalidArgumentError: an index is out of bounds (also an IndexError), the shapes do not fit
            (also a ValueError), or the dtypes do not (also a TypeError).
    """
def tensor_scatter_sub(tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Tensor:
    """Subtract updates from slices of a tensor.

    Args:
        tensor: tensor of any dtype; of a numeric one to add or subtract, a real one to compare.
        indices: tensor of an integer dtype; its last axis holds an index into ``tensor``.
        updates: tensor of the dtype of ``tensor``, of shape
            ``indices.shape[:-1] + tensor.shape[indices.shape[-1]:]``.
    Returns:
        Tensor of the shape and dtype of ``tensor``.
    Raises:
        InvalidArgumentError: an index is out of bounds (also an IndexError), the shapes do not fit
            (also a ValueError), or the dtypes do not (also a TypeError).
    """
def tensor_scatter_update(tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Tensor:
    """Replace slices of a tensor.

    Args:
        tensor: tensor of any dtype; of a numeric one to add or subtract, a real one to compare.
        indices: tensor of an integer dtype; its last axis holds an index into ``tensor``.
        updates: tensor of the dtype of ``tensor``, of shape
            ``indices.shape[:-1] + tensor.shape[indices.shape[-1]:]``.
    Returns:
        Tensor of the shape and dtype of ``tensor``.
    Raises:
        InvalidArgumentError: an index is out of bounds (also an IndexError), the shapes do not fit
            (also a ValueError), or the dtypes do not (also a TypeError).
    """
def tensordot(a: TensorLike, b: TensorLike, axes: Any, name: str | None = None) -> Tensor: ...
def tile(input: TensorLike, multiples: TensorLike, name: str | None = None) -> Tensor: ...
def to_complex128(x: TensorLike, name: str = 'ToComplex128') -> Tensor: ...
def to_complex64(x: TensorLike, name: str = 'ToComplex64') -> Tensor: ...
def to_double(x: TensorLike, name: str = 'ToDouble') -> Tensor: ...
def to_float(x: TensorLike, name: str = 'ToFloat') -> Tensor: ...
def to_int32(x: TensorLike, name: str = 'ToInt32') -> Tensor: ...
def to_int64(x: TensorLike, name: str = 'ToInt64') -> Tensor: ...
def trace(x: TensorLike, name: str | None = None) -> Tensor: ...
def transpose(a: TensorLike, perm: TensorLike | None = None, conjugate: _builtins.bool = False, name: str = 'transpose') -> Tensor: ...
def truediv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Divide ``x`` by ``y`` element-wise as Python's ``/`` does, with broadcasting.

    Args:
        x, y: tensors of one numeric dtype.
    Returns:
        Tensor of the broadcast shape, of the inputs' dtype; of integers float64, of 8 and 16 bits
        float32.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def truncated_normal(shape: ShapeLike, mean: TensorLike = 0.0, stddev: TensorLike = 1.0, dtype: DTypeLike = ..., seed: int | None = None, name: str | None = None) -> Tensor: ...
def truncatediv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Divide ``x`` by ``y`` element-wise and round towards zero, as C does.

    Args:
        x, y: tensors of one integer or floating dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError); an integer is divided by zero.
    """
def truncatemod(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute the remainder of division towards zero, with the sign of ``x`` as in C.

    Args:
        x, y: tensors of one integer or floating dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError); an integer is divided by zero.
    """
uint16: DType
uint32: DType
uint64: DType
uint8: DType
def unravel_index(indices: TensorLike, dims: TensorLike, name: str | None = None) -> Tensor:
    """Convert flat indices into an array to coordinates.

    Args:
        indices: scalar or vector of integers.
        dims: vector of as many integers as the array has axes: its shape.
    Returns:
        Tensor of the dtype of ``indices``, of shape (axes,) or (axes, indices).
    Raises:
        InvalidArgumentError: an index is out of bounds, or an input has another rank (also a
            ValueError) or dtype (also a TypeError).
    """
def unsorted_segment_max(data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None) -> Tensor:
    """Compute the maximum of the entries of each segment.

    Args:
        data: tensor of an integer or floating dtype, one entry for each segment id.
        segment_ids: tensor of an integer dtype, whose shape begins that of ``data``; entries with
            a negative id are left out.
        num_segments: number of segments, an integer scalar.
    Returns:
        Tensor of the dtype of ``data``, with ``num_segments`` entries.
    Raises:
        InvalidArgumentError: an id is ``num_segments`` or greater, that is negative, the shapes differ,
            or ``data`` has another dtype (also a TypeError).
    """
def unsorted_segment_mean(data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None) -> Tensor: ...
def unsorted_segment_min(data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None) -> Tensor:
    """Compute the minimum of the entries of each segment.

    Args:
        data: tensor of an integer or floating dtype, one entry for each segment id.
        segment_ids: tensor of an integer dtype, whose shape begins that of ``data``; entries with
            a negative id are left out.
        num_segments: number of segments, an integer scalar.
    Returns:
        Tensor of the dtype of ``data``, with ``num_segments`` entries.
    Raises:
        InvalidArgumentError: an id is ``num_segments`` or greater, that is negative, the shapes differ,
            or ``data`` has another dtype (also a TypeError).
    """
def unsorted_segment_prod(data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None) -> Tensor:
    """Compute the product of the entries of each segment.

    Args:
        data: tensor of a numeric dtype, one entry for each segment id.
        segment_ids: tensor of an integer dtype, whose shape begins that of ``data``; entries with
            a negative id are left out.
        num_segments: number of segments, an integer scalar.
    Returns:
        Tensor of the dtype of ``data``, with ``num_segments`` entries.
    Raises:
        InvalidArgumentError: an id is ``num_segments`` or greater, that is negative, the shapes differ,
            or ``data`` has another dtype (also a TypeError).
    """
def unsorted_segment_sqrt_n(data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None) -> Tensor: ...
def unsorted_segment_sum(data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None) -> Tensor:
    """Compute the sum of the entries of each segment.

    Args:
        data: tensor of a numeric dtype, one entry for each segment id.
        segment_ids: tensor of an integer dtype, whose shape begins that of ``data``; entries with
            a negative id are left out.
        num_segments: number of segments, an integer scalar.
    Returns:
        Tensor of the dtype of ``data``, with ``num_segments`` entries.
    Raises:
        InvalidArgumentError: an id is ``num_segments`` or greater, that is negative, the shapes differ,
            or ``data`` has another dtype (also a TypeError).
    """
variant: DType
def verify_tensor_all_finite(x: TensorLike, message: str, name: str | None = None) -> Tensor: ...
def where(condition: TensorLike, x: TensorLike | None = None, y: TensorLike | None = None, name: str | None = None) -> Tensor: ...
def where_v2(condition: TensorLike, x: TensorLike | None = None, y: TensorLike | None = None, name: str | None = None) -> Tensor: ...
def xdivy(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute ``x / y`` element-wise; 0 where ``x`` is 0.

    Args:
        x, y: tensors of one floating or complex dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def xlogy(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute ``x * log(y)`` element-wise; 0 where ``x`` is 0.

    Args:
        x, y: tensors of one floating or complex dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def zeros(shape: ShapeLike, dtype: DTypeLike = ..., name: str | None = None) -> Tensor: ...
def zeros_like(input: TensorLike, dtype: DTypeLike | None = None, name: str | None = None) -> Tensor: ...
def zeta(x: TensorLike, q: TensorLike, name: str | None = None) -> Tensor:
    """Compute the Hurwitz zeta function: the sum of ``(q + k) ** -x`` over k = 0, 1, ...

    Args:
        x, q: tensors of one floating dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
        ModuleNotFoundError: SciPy, of the extra ``special``, is not installed.
    """
bfloat16: DType
