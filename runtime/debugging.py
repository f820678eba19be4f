"""``runtime.debugging``: assertions on tensors, as in TensorFlow."""

from runtime.ops.effects import Assert as Assert

__all__ = [
    "Assert",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
