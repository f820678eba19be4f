"""Errors of ``runtime``, under TensorFlow's class names.

The lowest file of the package.  An :class:`OpError` carries the message, the operation it happened
in (when there is a graph) and a numeric code.  Where eager TensorFlow and a TensorFlow graph raise
different classes for one mistake, ours is both, so that a handler works either way.
"""

from __future__ import annotations

from typing import Any

from autograph.errors import StagingError, UnconvertedError

OK, CANCELLED, UNKNOWN, INVALID_ARGUMENT, DEADLINE_EXCEEDED, NOT_FOUND = range(6)
ALREADY_EXISTS, PERMISSION_DENIED, RESOURCE_EXHAUSTED, FAILED_PRECONDITION = range(6, 10)
ABORTED, OUT_OF_RANGE, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS = range(10, 16)
UNAUTHENTICATED = 16


class OpError(Exception):
    """Base of the errors that operations raise.

    Takes ``(node_def, op, message)`` as in TensorFlow, or the message alone.
    """

    error_code: int = UNKNOWN

    def __init__(self, node_def: Any, op: Any = None, message: str | None = None) -> None:
        if message is None:
            node_def, message = None, str(node_def)
        super().__init__(message)
        self._node_def = node_def
        self.op = op
        self.message = message

    @property
    def node_def(self) -> Any:
        """Description of the operation that failed, or None under eager execution."""
        return self._node_def if self.op is None else getattr(self.op, "node_def", self._node_def)

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (None, None, self.message)


class CancelledError(OpError):
    """An operation was cancelled."""

    error_code = CANCELLED


class UnknownError(OpError):
    """An operation failed in a way that fits no other class."""

    error_code = UNKNOWN


class InvalidArgumentError(OpError):
    """An argument of an operation has an invalid value, shape or dtype."""

    error_code = INVALID_ARGUMENT


class RefusedArgumentError(InvalidArgumentError, ValueError):
    """The static rules of an operation do not allow an argument (a ValueError too)."""


class IncompatibleShapesError(InvalidArgumentError, ValueError):
    """The shapes of an operation's inputs do not fit together (a ValueError too)."""


class MismatchedTypesError(InvalidArgumentError, TypeError):
    """The dtypes of an operation's inputs do not fit (a TypeError too)."""


class UnfitArgumentError(InvalidArgumentError, ValueError, TypeError):
    """An argument does not fit the signature of the function, or of its trace."""


class UnfitNumberError(InvalidArgumentError, OverflowError):
    """A Python int does not fit the dtype of the other operand (an OverflowError too)."""


class UnfitValueError(TypeError, ValueError):
    """A Python value cannot become a tensor (a TypeError and a ValueError)."""


class DivisionByZeroError(InvalidArgumentError, ZeroDivisionError):
    """An integer was divided by zero (a ZeroDivisionError too)."""


class IndexOutOfBoundsError(InvalidArgumentError, IndexError, ValueError):
    """An index lies outside of its dimension (an IndexError and a ValueError too)."""


class TooManyIndicesError(IndexOutOfBoundsError, IncompatibleShapesError):
    """There are more indices than axes."""


class DeadlineExceededError(OpError):
    """A deadline passed before an operation completed."""

    error_code = DEADLINE_EXCEEDED


class NotFoundError(OpError):
    """Something named (a file, a key, an operation) does not exist."""

    error_code = NOT_FOUND


class AlreadyExistsError(OpError):
    """Something that was to be created exists already."""

    error_code = ALREADY_EXISTS


class PermissionDeniedError(OpError):
    """The caller may not do this."""

    error_code = PERMISSION_DENIED


class UnauthenticatedError(OpError):
    """The caller did not prove who they are."""

    error_code = UNAUTHENTICATED


class ResourceExhaustedError(OpError):
    """There is not enough memory, disk or another limited thing."""

    error_code = RESOURCE_EXHAUSTED


class FailedPreconditionError(OpError):
    """The system is not in the state the operation needs (an uninitialised variable ...)."""

    error_code = FAILED_PRECONDITION


class AbortedError(OpError):
    """An operation was given up half-way, usually for a concurrent one."""

    error_code = ABORTED


class OutOfRangeError(OpError):
    """An iteration went past its end."""

    error_code = OUT_OF_RANGE


class ArrayIndexError(OutOfRangeError, InvalidArgumentError):
    """An index lies outside of a tensor array (an InvalidArgumentError too)."""


class UnimplementedError(OpError):
    """The operation exists but not for this case."""

    error_code = UNIMPLEMENTED


class InternalError(OpError):
    """An invariant of the runtime itself is broken."""

    error_code = INTERNAL


class UnavailableError(OpError):
    """A service cannot be reached at present."""

    error_code = UNAVAILABLE


class DataLossError(OpError):
    """Data cannot be recovered: a damaged or shortened file."""

    error_code = DATA_LOSS


class MissingGradientError(LookupError):
    """Raised where a derivative is asked for that is not there; a LookupError, as in TensorFlow."""


class RetracingWarning(UserWarning):
    """A function is traced in nearly every call; the message names the argument that differs."""


class JitWarning(UserWarning):
    """A function of ``runtime.jit`` runs as plain Python; the message names the reason and line."""


class OperatorNotAllowedInGraphError(UnconvertedError, NotImplementedError):
    """Python asked a symbolic tensor for its truth, its items or a number (a TypeError too)."""


class InaccessibleTensorError(StagingError, InvalidArgumentError, ValueError, TypeError):
    """A tensor is used outside of the branch, loop or function that it belongs to.

    A ValueError and a TypeError too: versions of TensorFlow differ in which of them it is.
    """

    def __init__(self, message: str, **details: Any) -> None:
        InvalidArgumentError.__init__(self, message)
        StagingError.__init__(self, message, **details)

    def __str__(self) -> str:
        return StagingError.__str__(self)


__all__ = [
    "AbortedError", "AlreadyExistsError", "ArrayIndexError", "CancelledError", "DataLossError",
    "DeadlineExceededError", "DivisionByZeroError", "FailedPreconditionError",
    "InaccessibleTensorError", "IncompatibleShapesError", "IndexOutOfBoundsError", "InternalError",
    "InvalidArgumentError", "JitWarning", "MismatchedTypesError", "NotFoundError", "OpError",
    "OperatorNotAllowedInGraphError", "OutOfRangeError", "PermissionDeniedError",
    "RefusedArgumentError", "ResourceExhaustedError", "RetracingWarning", "TooManyIndicesError",
    "UnauthenticatedError", "UnavailableError", "UnfitNumberError", "UnfitValueError",
    "UnimplementedError", "UnknownError",
    "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
