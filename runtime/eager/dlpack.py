"""``experimental.dlpack``: tensors to DLPack capsules and back, by TensorFlow's names."""

from __future__ import annotations

from typing import Any

from runtime.eager.interop import array_of
from runtime.eager.tensor import Tensor
from runtime.ops.array.constants import constant
from runtime.types.errors import InvalidArgumentError

__all__ = ["from_dlpack", "to_dlpack"]


class _Exporter:
    """What NumPy asks of an exporter, of a capsule that is there already."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __dlpack__(self, **asked: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0  # kDLCPU


def to_dlpack(tf_tensor: Any) -> Any:
    """A capsule of an eager tensor's values: a copy, as tensors are immutable.

    InvalidArgumentError for anything else; BufferError for dtypes that DLPack does not have.
    """
    if type(tf_tensor) is not Tensor:
        raise InvalidArgumentError(
            "The argument to `to_dlpack` must be an eager tensor, "
            f"not {type(tf_tensor).__name__}; make one with runtime.constant"
        )
    return tf_tensor.__dlpack__()


def from_dlpack(dlcapsule: Any) -> Tensor:
    """A tensor of a capsule's values, which are copied: others may write to theirs.

    A capsule is consumed by it: InvalidArgumentError the second time.  Objects with
    ``__dlpack__`` make a new one each time.
    """
    if type(dlcapsule).__name__ != "PyCapsule":
        return constant(array_of(dlcapsule, True))
    if '"used_' in repr(dlcapsule):
        raise InvalidArgumentError("a DLPack capsule may be consumed at most once; make another")
    return constant(array_of(_Exporter(dlcapsule), True))
