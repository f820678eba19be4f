"""The public names and arguments are TensorFlow's."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import runtime as tf
from runtime.ops import families

NAMES = {
    tf: """abs acos acosh add add_n argmax argmin argsort asin asinh atan atan2 atanh boolean_mask
        broadcast_dynamic_shape broadcast_static_shape broadcast_to cast clip_by_global_norm
        clip_by_norm clip_by_value complex concat constant convert_to_tensor cos cosh cumsum divide
        einsum ensure_shape equal exp expand_dims eye fill floor gather gather_nd greater
        greater_equal identity less less_equal linspace logical_and logical_not logical_or matmul
        maximum meshgrid minimum multiply negative newaxis norm not_equal one_hot ones ones_like
        pad pow print range rank realdiv reduce_all reduce_any reduce_logsumexp reduce_max
        reduce_mean reduce_min reduce_prod reduce_sum repeat reshape reverse roll round
        saturate_cast scalar_mul scatter_nd searchsorted sequence_mask shape shape_n sigmoid sign
        sin sinh size slice sort split sqrt square squeeze stack stop_gradient strided_slice
        subtract tan tanh tensor_scatter_nd_add tensor_scatter_nd_max tensor_scatter_nd_min
        tensor_scatter_nd_sub tensor_scatter_nd_update tensordot tile transpose truediv truncatediv
        truncatemod unique unique_with_counts unstack where zeros zeros_like
        log log1p floordiv mod is_nan random_uniform random_normal set_random_seed""",
    tf.math: """angle bincount ceil conj cumprod cumulative_logsumexp divide_no_nan erf erfc expm1
        floordiv floormod imag in_top_k invert_permutation is_finite is_inf is_nan l2_normalize
        lgamma log log1p log_sigmoid logical_xor mod multiply_no_nan real reciprocal
        reduce_euclidean_norm reduce_std reduce_variance rint rsqrt segment_max segment_mean
        segment_min segment_prod segment_sum sigmoid softplus squared_difference top_k
        unsorted_segment_max unsorted_segment_sum xdivy xlogy zero_fraction count_nonzero add_n
        approximate_equal""",
    tf.nn: """bias_add dropout elu gelu in_top_k l2_loss l2_normalize leaky_relu log_softmax moments
        relu relu6 selu sigmoid_cross_entropy_with_logits silu softmax
        softmax_cross_entropy_with_logits softplus softsign sparse_softmax_cross_entropy_with_logits
        swish tanh top_k zero_fraction""",
    tf.linalg: """adjoint band_part cholesky cross det diag diag_part eigh einsum eye inv matmul
        matrix_transpose matvec norm qr solve tensordot trace""",
    tf.random: """categorical normal set_seed shuffle stateless_normal stateless_truncated_normal
        stateless_uniform truncated_normal uniform""",
    tf.strings: """as_string join length lower reduce_join regex_full_match regex_replace strip
        substr to_number upper""",
    tf.bitwise: "bitwise_and bitwise_or bitwise_xor invert left_shift right_shift",
}
ARGUMENTS = {
    tf.argsort: "values axis direction stable name",
    tf.cast: "x dtype name",
    tf.concat: "values axis name",
    tf.gather: "params indices validate_indices axis batch_dims name",
    tf.linspace: "start stop num name axis",
    tf.nn.softmax: "logits axis name",
    tf.one_hot: "indices depth on_value off_value axis dtype name",
    tf.pad: "tensor paddings mode constant_values name",
    tf.random.uniform: "shape minval maxval dtype seed name",
    tf.random.stateless_normal: "shape seed mean stddev dtype name alg",
    tf.range: "start limit delta dtype name",
    tf.reduce_sum: "input_tensor axis keepdims name",
    tf.reshape: "tensor shape name",
    tf.split: "value num_or_size_splits axis num name",
    tf.strings.reduce_join: "inputs axis keepdims separator name",
    tf.math.top_k: "input k sorted index_type name",
    tf.transpose: "a perm conjugate name",
    tf.where: "condition x y name",
}


@pytest.mark.parametrize(
    ("place", "names"), NAMES.items(), ids=lambda v: getattr(v, "__name__", "-")
)
def test_names(place, names):
    assert [name for name in names.split() if not hasattr(place, name)] == []
    undocumented = [n for n in names.split() if not (getattr(place, n).__doc__ or n == "newaxis")]
    assert undocumented == []


@pytest.mark.parametrize(("function", "names"), ARGUMENTS.items())
def test_arguments(function, names):
    assert list(inspect.signature(function).parameters) == names.split()


def test_rows_take_their_inputs_by_name():
    assert tf.maximum(x=1, y=2).numpy() == tf.maximum(1, y=2).numpy() == 2
    assert tf.linalg.cross(a=[1, 0, 0], b=[0, 1, 0]).numpy().tolist() == [0, 0, 1]
    with pytest.raises(TypeError, match="missing its argument 'y'"):
        tf.maximum(x=1)
    with tf.Graph().as_default():
        assert tf.maximum(tf.constant(1), np.int32(2), name="top").name == "top:0"


# They ask whether something is a tensor.
OWN_MEANING = {"is_symbolic_tensor", "is_tensor"}
ALIASES = {
    "DTypeLike": {"dtype", "out_type", "output_type"}, "ShapeLike": {"shape", "output_shape"},
    "AxisLike": {"axis"}, "TensorLike": {"input", "x", "y", "tensor", "indices", "logits"},
}  # fmt: skip


@pytest.mark.parametrize("family", families(), ids=lambda family: family.__name__[8:])
def test_signatures_say_what_is_taken(family):
    """No parameter that is a dtype, a shape, an axis or a tensor hides behind ``Any``."""
    for name in getattr(family, "__all__", ()):
        function = getattr(family, name)
        if not inspect.isfunction(function) or name in OWN_MEANING:
            continue
        for alias, words in ALIASES.items():
            for word in words & inspect.signature(function).parameters.keys():
                annotation = inspect.signature(function).parameters[word].annotation
                assert annotation != "Any", f"{name}({word}): {alias}"
