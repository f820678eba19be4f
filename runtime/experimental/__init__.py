"""``runtime.experimental``: public names that TensorFlow calls experimental."""

import importlib as _importlib
from types import SimpleNamespace as _Names
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from runtime.eager.dlpack import from_dlpack as _from_dlpack
from runtime.eager.dlpack import to_dlpack as _to_dlpack
from runtime.types.annexes import optional_annex as _optional_annex

with _optional_annex():
    from runtime.data.iterators import Optional as Optional

with _optional_annex():
    from runtime.composite.extension_types.api_dispatch import (
        dispatch_for_api as dispatch_for_api,
    )
    from runtime.composite.extension_types.api_dispatch import (
        unregister_dispatch_for as unregister_dispatch_for,
    )
    from runtime.composite.extension_types.batch_encoder import (
        BatchableExtensionType as BatchableExtensionType,
    )
    from runtime.composite.extension_types.batch_encoder import (
        ExtensionTypeBatchEncoder as ExtensionTypeBatchEncoder,
    )
    from runtime.composite.extension_types.elementwise_dispatch import (
        dispatch_for_binary_elementwise_apis as dispatch_for_binary_elementwise_apis,
    )
    from runtime.composite.extension_types.elementwise_dispatch import (
        dispatch_for_unary_elementwise_apis as dispatch_for_unary_elementwise_apis,
    )
    from runtime.composite.extension_types.extension_type import ExtensionType as ExtensionType
    from runtime.composite.extension_types.extension_type import (
        ExtensionTypeSpec as ExtensionTypeSpec,
    )
    from runtime.composite.extension_types.extension_type import as_dict as _as_dict

    extension_type = _Names(as_dict=_as_dict)
    """The fields of a value of an extension type."""

if _TYPE_CHECKING:
    from runtime.experimental import numpy as numpy

dlpack = _Names(from_dlpack=_from_dlpack, to_dlpack=_to_dlpack)
"""Tensors to DLPack capsules and back."""

__all__ = [
    "BatchableExtensionType", "ExtensionType", "ExtensionTypeBatchEncoder", "ExtensionTypeSpec",
    "Optional", "dispatch_for_api", "dispatch_for_binary_elementwise_apis",
    "dispatch_for_unary_elementwise_apis", "dlpack", "extension_type", "numpy",
    "unregister_dispatch_for",
]  # fmt: skip


def __getattr__(name: str) -> _Any:
    """Import the module ``numpy`` when it is asked for: it takes Keras' functions."""
    if name == "numpy":
        return _importlib.import_module("runtime.experimental.numpy")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
