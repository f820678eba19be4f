"""Types of the names of ``runtime.errors``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from runtime import OpError as OpError
from runtime.types.errors import AbortedError as AbortedError
from runtime.types.errors import AlreadyExistsError as AlreadyExistsError
from runtime.types.errors import ArrayIndexError as ArrayIndexError
from runtime.types.errors import CancelledError as CancelledError
from runtime.types.errors import DataLossError as DataLossError
from runtime.types.errors import DeadlineExceededError as DeadlineExceededError
from runtime.types.errors import DivisionByZeroError as DivisionByZeroError
from runtime.types.errors import FailedPreconditionError as FailedPreconditionError
from runtime.types.errors import InaccessibleTensorError as InaccessibleTensorError
from runtime.types.errors import IncompatibleShapesError as IncompatibleShapesError
from runtime.types.errors import IndexOutOfBoundsError as IndexOutOfBoundsError
from runtime.types.errors import InternalError as InternalError
from runtime.types.errors import InvalidArgumentError as InvalidArgumentError
from runtime.types.errors import JitWarning as JitWarning
from runtime.types.errors import MismatchedTypesError as MismatchedTypesError
from runtime.types.errors import NotFoundError as NotFoundError
from runtime.types.errors import OperatorNotAllowedInGraphError as OperatorNotAllowedInGraphError
from runtime.types.errors import OutOfRangeError as OutOfRangeError
from runtime.types.errors import PermissionDeniedError as PermissionDeniedError
from runtime.types.errors import RefusedArgumentError as RefusedArgumentError
from runtime.types.errors import ResourceExhaustedError as ResourceExhaustedError
from runtime.types.errors import RetracingWarning as RetracingWarning
from runtime.types.errors import TooManyIndicesError as TooManyIndicesError
from runtime.types.errors import UnauthenticatedError as UnauthenticatedError
from runtime.types.errors import UnavailableError as UnavailableError
from runtime.types.errors import UnfitNumberError as UnfitNumberError
from runtime.types.errors import UnfitValueError as UnfitValueError
from runtime.types.errors import UnimplementedError as UnimplementedError
from runtime.types.errors import UnknownError as UnknownError
from typing import Any

ABORTED: int
ALREADY_EXISTS: int
CANCELLED: int
DATA_LOSS: int
DEADLINE_EXCEEDED: int
FAILED_PRECONDITION: int
INTERNAL: int
INVALID_ARGUMENT: int
NOT_FOUND: int
OK: int
OUT_OF_RANGE: int
PERMISSION_DENIED: int
RESOURCE_EXHAUSTED: int
UNAUTHENTICATED: int
UNAVAILABLE: int
UNIMPLEMENTED: int
UNKNOWN: int
