"""Rules for the field ``raises``: what a kernel may raise, by its inputs' specs.

A staged ``try`` saves what its handlers need ahead of operations that may raise
(graph/raise_tracking.py).  Names no op.
"""

from __future__ import annotations

from typing import Any

from runtime.ops.op import Raised
from runtime.types.errors import IncompatibleShapesError, InvalidArgumentError, OpError
from runtime.types.shapes import TensorSpec

ANYTHING: Raised = (OpError, ValueError, TypeError, LookupError, ArithmeticError)
"""What kernels raise about the values of their inputs."""
WHATEVER_CALLED_CODE_RAISES: Raised = (Exception,)
"""For operations that run what users wrote, generators for instance."""


def unfit_shapes(*specs: TensorSpec, **attrs: Any) -> Raised:
    """Element by element: shapes that are not known may not fit each other."""
    are_known = all(spec.shape.is_fully_defined() for spec in specs) or len(specs) == 1
    return () if are_known else (IncompatibleShapesError,)


def whole_division(x: TensorSpec, y: TensorSpec, **attrs: Any) -> Raised:
    """A division by zero, of whole numbers, or shapes that do not fit."""
    shapes = unfit_shapes(x, y)
    return (*shapes, InvalidArgumentError) if x.dtype.is_integer else shapes


def unless_scalar(x: TensorSpec, **attrs: Any) -> Raised:
    """Anything, unless the input is known to be one number."""
    return () if x.shape.rank == 0 else ANYTHING
