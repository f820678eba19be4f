"""``runtime.experimental``: public names that TensorFlow calls experimental."""

from types import SimpleNamespace as _Names

from runtime.eager.dlpack import from_dlpack as _from_dlpack
from runtime.eager.dlpack import to_dlpack as _to_dlpack
from runtime.types.annexes import optional_annex as _optional_annex

with _optional_annex():
    from runtime.data.iterators import Optional as Optional

dlpack = _Names(from_dlpack=_from_dlpack, to_dlpack=_to_dlpack)
"""Tensors to DLPack capsules and back."""

__all__ = ["Optional", "dlpack"]


def __dir__() -> list[str]:
    return __all__
