"""``experimental.dlpack``: tensors to DLPack capsules and back, by TensorFlow's names."""

from __future__ import annotations

from typing import Any

from runtime.eager.interop import array_of
from runtime.eager.tensor import Tensor
from runtime.ops.array.constants import constant
from runtime.types.errors import InvalidArgumentError

__all__ = ["from_dlpack", "to_dlpack"]


class _Exporter:
    """Exporter of an existing capsule, as NumPy needs one."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __dlpack__(self, **options: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0  # kDLCPU


def to_dlpack(tf_tensor: Any) -> Any:
    """Copy the values of an eager tensor into a DLPack capsule.

    Args:
        tf_tensor: eager tensor.
    Returns:
        Capsule.
    Raises:
        InvalidArgumentError: the argument is no eager tensor.
        BufferError: DLPack has no such dtype.
    """
    if type(tf_tensor) is not Tensor:
        raise InvalidArgumentError(
            "The argument to `to_dlpack` must be an eager tensor, "
            f"not {type(tf_tensor).__name__}; make one with runtime.constant"
        )
    return tf_tensor.__dlpack__()


def from_dlpack(dlcapsule: Any) -> Tensor:
    """Copy the values of a DLPack capsule into a tensor.

    The values are copied, because others may write to theirs.

    Args:
        dlcapsule: capsule, which is consumed, or object with ``__dlpack__``.
    Returns:
        Eager tensor of the shape and dtype of the values.
    Raises:
        InvalidArgumentError: the capsule was consumed before.
    """
    if type(dlcapsule).__name__ != "PyCapsule":
        return constant(array_of(dlcapsule, True))
    if '"used_' in repr(dlcapsule):
        raise InvalidArgumentError("a DLPack capsule may be consumed at most once; make another")
    return constant(array_of(_Exporter(dlcapsule), True))
