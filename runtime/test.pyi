"""Types of the names of ``runtime.test``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from runtime.autodiff.gradient_checker import compute_gradient as compute_gradient
from runtime.autodiff.gradient_checker import compute_gradient_error as compute_gradient_error
from runtime.devices.gpus import gpu_device_name as gpu_device_name
from runtime.devices.gpus import is_gpu_available as is_gpu_available
from runtime.testing.cases import TestCase as TestCase
from runtime.testing.cases import disable_with_predicate as disable_with_predicate
from runtime.testing.cases import main as main
from typing import Any


