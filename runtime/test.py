"""``runtime.test``: what tests of programs use, as in TensorFlow."""

from typing import TYPE_CHECKING

from runtime.autodiff.gradient_checker import compute_gradient as compute_gradient
from runtime.autodiff.gradient_checker import compute_gradient_error as compute_gradient_error
from runtime.devices.gpus import gpu_device_name as gpu_device_name
from runtime.devices.gpus import is_gpu_available as is_gpu_available
from runtime.types.annexes import explained as _explained
from runtime.types.annexes import optional_annex as _optional_annex

with _optional_annex():
    from runtime.testing.cases import TestCase as TestCase
    from runtime.testing.cases import disable_with_predicate as disable_with_predicate
    from runtime.testing.cases import main as main

__all__ = [
    "TestCase", "compute_gradient", "compute_gradient_error", "disable_with_predicate",
    "gpu_device_name", "is_gpu_available", "main",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
