"""``runtime.nn``: the public names of neural networks, as in TensorFlow."""

# ruff: noqa: F403, F405 - what a star brings is what the module's __all__ says

import importlib as _importlib
from typing import TYPE_CHECKING

from autograph.errors import unknown_name as _unknown_name
from runtime.ops.array.sorting import in_top_k as in_top_k
from runtime.ops.array.sorting import top_k as top_k
from runtime.ops.nn.activations_losses import *
from runtime.ops.nn.convolution_api import *
from runtime.ops.nn.normalization import *
from runtime.ops.nn.pooling_api import *
from runtime.types.annexes import explained as _explained

if TYPE_CHECKING:
    from runtime.composite.ctc import ctc_loss as ctc_loss
    from runtime.composite.sparse.embeddings import *

_LATER = {
    "ctc_loss": "runtime.composite.ctc",
    "embedding_lookup_sparse": "runtime.composite.sparse.embeddings",
    "safe_embedding_lookup_sparse": "runtime.composite.sparse.embeddings",
}
"""Names that stand on loops or composite tensors, and their modules."""

__all__ = [
    "atrous_conv2d", "atrous_conv2d_transpose", "avg_pool", "avg_pool1d", "avg_pool2d",
    "avg_pool3d", "batch_norm_with_global_normalization", "batch_normalization", "batch_to_space",
    "bias_add", "compute_average_loss", "conv1d", "conv1d_transpose", "conv2d", "conv2d_transpose",
    "conv3d", "conv3d_transpose", "conv_transpose", "convolution", "crelu", "ctc_loss",
    "depth_to_space", "depthwise_conv2d", "depthwise_conv2d_backprop_filter",
    "depthwise_conv2d_backprop_input",
    "dropout", "elu", "embedding_lookup", "embedding_lookup_sparse",
    "gelu", "in_top_k", "l2_loss", "l2_normalize",
    "leaky_relu", "log_poisson_loss", "log_softmax", "max_pool", "max_pool1d", "max_pool2d",
    "max_pool3d", "max_pool_with_argmax", "moments", "normalize_moments", "pool", "relu", "relu6",
    "safe_embedding_lookup_sparse", "scale_regularization_loss", "selu", "separable_conv2d",
    "sigmoid",
    "sigmoid_cross_entropy_with_logits", "silu", "softmax", "softmax_cross_entropy_with_logits",
    "softplus", "softsign", "space_to_batch", "space_to_depth",
    "sparse_softmax_cross_entropy_with_logits", "sufficient_statistics", "swish", "tanh", "top_k",
    "weighted_cross_entropy_with_logits", "weighted_moments", "zero_fraction",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Return what stands on loops, which are loaded when it is first asked for."""
        if name in _LATER:
            globals()[name] = getattr(_importlib.import_module(_LATER[name]), name)
            return globals()[name]
        raise _unknown_name("runtime.nn", name, __all__)

    __getattr__ = _explained(__name__, __getattr__)
