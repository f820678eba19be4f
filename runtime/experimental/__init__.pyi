"""Types of the names of ``runtime.experimental``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from . import numpy as numpy
from runtime.composite.extension_types.api_dispatch import dispatch_for_api as dispatch_for_api
from runtime.composite.extension_types.api_dispatch import unregister_dispatch_for as unregister_dispatch_for
from runtime.composite.extension_types.batch_encoder import BatchableExtensionType as BatchableExtensionType
from runtime.composite.extension_types.batch_encoder import ExtensionTypeBatchEncoder as ExtensionTypeBatchEncoder
from runtime.composite.extension_types.elementwise_dispatch import dispatch_for_binary_elementwise_apis as dispatch_for_binary_elementwise_apis
from runtime.composite.extension_types.elementwise_dispatch import dispatch_for_unary_elementwise_apis as dispatch_for_unary_elementwise_apis
from runtime.composite.extension_types.extension_type import ExtensionType as ExtensionType
from runtime.composite.extension_types.extension_type import ExtensionTypeSpec as ExtensionTypeSpec
from runtime.data.iterators import Optional as Optional
from typing import Any

dlpack: Any
extension_type: Any
