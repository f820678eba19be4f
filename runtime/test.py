"""``runtime.test``: what tests of programs use, as in TensorFlow."""

from runtime.autodiff.gradient_checker import compute_gradient as compute_gradient
from runtime.autodiff.gradient_checker import compute_gradient_error as compute_gradient_error
from runtime.testing.cases import TestCase as TestCase
from runtime.testing.cases import disable_with_predicate as disable_with_predicate
from runtime.testing.cases import gpu_device_name as gpu_device_name
from runtime.testing.cases import is_built_with_cuda as is_built_with_cuda
from runtime.testing.cases import is_built_with_gpu_support as is_built_with_gpu_support
from runtime.testing.cases import is_built_with_rocm as is_built_with_rocm
from runtime.testing.cases import is_built_with_xla as is_built_with_xla
from runtime.testing.cases import is_gpu_available as is_gpu_available
from runtime.testing.cases import main as main

__all__ = [
    "TestCase", "compute_gradient", "compute_gradient_error", "disable_with_predicate",
    "gpu_device_name", "is_built_with_cuda", "is_built_with_gpu_support", "is_built_with_rocm",
    "is_built_with_xla", "is_gpu_available", "main",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
