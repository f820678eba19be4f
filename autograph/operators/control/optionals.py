"""``is``, and operations on staged unions: operations staged for each alternative.

    b is None            =>  ag__.is_(b, None)
    done is False        =>  ag__.is_(done, False)

In a branch guarded by ``is None`` the variable is the value itself, or None.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NoReturn

from autograph.diagnostics.internal_faults import is_internal
from autograph.diagnostics.user_frame import user_line
from autograph.errors import AutoGraphError, ConcreteValueError
from autograph.operators.control.conditionals import staged_if
from autograph.operators.control.raises import raise_stmt
from autograph.operators.joins.may_alias import may_be_one
from autograph.operators.state.closure_cells import contents
from autograph.staging.access import possibly_same
from autograph.staging.aliases import may_be_same
from autograph.staging.chosen_storage import ChosenStorage
from autograph.staging.joined_number import KINDS, JoinedNumber
from autograph.staging.protocol import Backend
from autograph.staging.registry import staging_backend, staging_backend_of
from autograph.staging.staged_array import ArrayStorage, StagedArray
from autograph.staging.staged_string import StagedText
from autograph.staging.staged_union import (
    APPLY_TO_EACH,
    StagedChoice,
    StagedOptional,
    StagedReference,
    StagedUnion,
    StagedVariant,
)
from autograph.tracing import TRACES


def is_(left: Any, right: Any) -> Any:
    """``left is right``; staged when one may be None, or stands for a Python bool or small int."""
    if left is right:
        return True
    if type(left) is StagedOptional and right is None:
        return _is_none(left)
    if type(right) is StagedOptional and left is None:
        return _is_none(right)
    if isinstance(left, StagedUnion):
        return left.ag__apply_to_each(lambda value: is_(value, right))
    if isinstance(right, StagedUnion):
        return right.ag__apply_to_each(lambda value: is_(left, value))
    if left is None or right is None or not TRACES:
        return False
    if isinstance(left, StagedArray) and isinstance(right, StagedArray):
        return _is_same_array(left, right)
    if may_be_same(left, right) or may_be_one(left, right):
        _refuse_identity()
    if staging_backend(left) is not None or isinstance(left, StagedText):
        return _is_staged(left, right)
    return _is_staged(right, left)


def id_(value: Any) -> Any:
    """``id(value)``, as far as it is known which object a value is."""
    if isinstance(value, StagedUnion):
        return value.ag__apply_to_each(id_)
    if isinstance(value, list) and TRACES and possibly_same(value):
        _refuse_identity()
    return id(value)


def is_not(left: Any, right: Any) -> Any:
    """``left is not right``, as ``is_``."""
    if right is None and type(left) is StagedOptional:
        return left.ag__present
    same = is_(left, right)
    backend = staging_backend(same)
    return not same if backend is None else backend.logical_not(same)


def _is_none(value: StagedOptional) -> Any:
    test = value.ag__backend.logical_not(value.ag__present)
    value.ag__learn(test, when_true=False, when_false=True)
    return test


def _is_same_array(left: StagedArray, right: StagedArray) -> Any:
    """Whether two arrays are one, as far as each is a known one of several, and no view."""
    first, second = left.storage, right.storage
    if first is None or second is None:
        return first is second and _refuse_identity()  # scalars
    if first is second and not (left.is_whole or right.is_whole):
        _refuse_identity()
    return _is_same_storage(first, second) if left.is_whole and right.is_whole else False


def _is_same_storage(first: ArrayStorage, second: ArrayStorage) -> Any:
    if isinstance(second, ChosenStorage):
        first, second = second, first
    if isinstance(first, ChosenStorage):
        return first.choice.ag__apply_to_each(lambda storage: _is_same_storage(storage, second))
    if first is not second and (
        any(storage is second for storage in first.possibly_same())
        or any(mine is its for mine in first.links.arrays for its in second.links.arrays)
    ):
        _refuse_identity()
    return first is second


_SMALL_INTS = range(-5, 257)
"""Ints that are one object each, whatever computed them."""


def _is_staged(value: Any, counterpart: Any) -> Any:
    """Whether a staged value is an object, as the values that it stands for are in Python.

    Each bool and each small int is one object.  The identity of other numbers, texts and tensors is
    not known: staging does not preserve it.
    """
    backend = staging_backend_of((value, counterpart))
    if backend is None:
        return isinstance(value, StagedText) and isinstance(counterpart, str) and _refuse_identity()
    if backend.is_reference(value) or backend.is_reference(counterpart):
        return False  # a variable is one object everywhere
    kinds = backend.python_type(value), backend.python_type(counterpart) or type(counterpart)
    small = kinds == (int, int) and type(counterpart) is int and counterpart in _SMALL_INTS
    if kinds == (bool, bool) or small:
        return backend.equal(value, counterpart)
    return _may_be_joined(backend, value, counterpart) and _refuse_identity()


def _may_be_joined(backend: Backend, value: Any, counterpart: Any) -> bool:
    """Whether a staged value may be the result of joining ``counterpart`` with another value."""
    if backend.owns(counterpart):
        return True
    spec, other_spec = backend.specs([value, counterpart])
    if spec is None or other_spec is None:
        return False
    try:
        return backend.join(spec, other_spec) == spec
    except TypeError:
        return False


def _refuse_identity() -> NoReturn:
    raise ConcreteValueError(
        "the identity of a staged value is not known",
        where=user_line(),
        help="compare them with '==', write 'if x' or 'not x' for a bool, or keep a flag that "
        "says which one it is",
    )


def learn_both(
    left: Any, result: Any, outcome: bool, operands: Sequence[Callable[[], Any]]
) -> Any:
    """Return the result of an ``and`` (``or``): true (false) implies that its left side is.

    What that implies for variables in its other operands is recorded as well.
    """
    for operand in operands:
        for cell in getattr(operand, "__closure__", None) or ():
            variable = contents(cell)
            present = None
            if type(variable) is StagedOptional:
                present = variable.ag__known(left, outcome)
            if present is not None:
                when = (present, None) if outcome else (None, present)
                variable.ag__learn(result, *when)
    return result


def apply_to_optional(optional: StagedOptional, operation: Callable[[Any], Any]) -> Any:
    """Stage ``operation`` of the value, and of None where there is no value.

    An exception that the operation raises for None is raised at run time.
    """

    value = optional.ag__value  # a path narrows the user's variables, not the operators'
    return staged_if(
        optional.ag__backend, optional.ag__present, lambda: operation(value),
        lambda: attempt(operation, None),
        owners=((value, *_values_behind(operation)),),
    )


def attempt(operation: Callable[[Any], Any], value: Any) -> Any:
    """The result for one alternative; an exception of Python's is raised at run time."""
    try:
        return operation(value)
    except AutoGraphError:
        raise
    except Exception as error:
        if is_internal(error):
            raise
        failure = error.with_traceback(None)
    raise raise_stmt(failure)


def apply_to_kinds(number: JoinedNumber, operation: Callable[[Any], Any]) -> Any:
    """Stage ``operation`` of the number as each of its types."""
    backend, values = number.ag__backend, number.ag__values

    def of(kinds: Sequence[type]) -> Any:
        kind, *further = kinds
        if not further:
            return attempt(operation, values[kind])
        return staged_if(
            backend, backend.equal(number.ag__kind, KINDS.index(kind)),
            lambda: attempt(operation, values[kind]), lambda: of(further),
            owners=(tuple(_values_behind(operation)),),
        )

    return of(tuple(values))


def apply_to_alternatives(
    choice: StagedChoice | StagedVariant, operation: Callable[[Any], Any]
) -> Any:
    """Stage ``operation`` of each alternative, selected by the choice's index."""

    def from_number(number: int) -> Any:
        value = choice.ag__alternatives[number]
        if number == len(choice.ag__alternatives) - 1:
            return operation(value)
        is_it = choice.ag__backend.equal(choice.ag__index, number)
        return staged_if(
            choice.ag__backend, is_it, lambda: operation(value), lambda: from_number(number + 1),
            owners=((*choice.ag__alternatives, *_values_behind(operation)),),
        )

    return from_number(0)


def apply_to_variants(variant: StagedVariant, operation: Callable[[Any], Any]) -> Any:
    """Stage ``operation`` of the value of each kind; it may raise an exception for some kinds."""
    return apply_to_alternatives(variant, partial(attempt, operation))


def _values_behind(operation: Callable[..., Any]) -> list[Any]:
    """Return the objects that an operation refers to, which it may change."""
    if isinstance(operation, partial):
        return [value for arg in operation.args for value in (arg, *_values_behind(arg))]
    return [contents(cell) for cell in getattr(operation, "__closure__", None) or ()]


STAND_INS: dict[Any, Any] = {operator.is_: is_, operator.is_not: is_not, id: id_}
APPLY_TO_EACH.update({
    StagedOptional: apply_to_optional, StagedChoice: apply_to_alternatives,
    JoinedNumber: apply_to_kinds, StagedVariant: apply_to_variants,
    StagedReference: apply_to_variants,
})  # fmt: skip
