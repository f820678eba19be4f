"""Types of the names of ``runtime.optimizer``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from runtime.autodiff.lbfgs import LBfgsOptimizerResults as LBfgsOptimizerResults
from runtime.autodiff.lbfgs import lbfgs_minimize as lbfgs_minimize
from runtime.autodiff.lbfgs import value_and_gradient as value_and_gradient
from runtime.eager.tensor import Tensor
from typing import Any

def converged_all(converged: Any, failed: Any) -> Tensor: ...
def converged_any(converged: Any, failed: Any) -> Tensor: ...
