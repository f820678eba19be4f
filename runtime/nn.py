"""``runtime.nn``: the public names of neural networks, as in TensorFlow."""

# ruff: noqa: F403, F405 - what a star brings is what the module's __all__ says

from runtime.ops.nn import *
from runtime.ops.sorting import in_top_k as in_top_k
from runtime.ops.sorting import top_k as top_k

__all__ = [
    "bias_add", "dropout", "elu", "gelu", "in_top_k", "l2_loss", "l2_normalize", "leaky_relu",
    "log_softmax", "moments", "relu", "relu6", "selu", "sigmoid",
    "sigmoid_cross_entropy_with_logits", "silu", "softmax", "softmax_cross_entropy_with_logits",
    "softplus", "softsign", "sparse_softmax_cross_entropy_with_logits", "swish", "tanh",
    "top_k", "zero_fraction",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
