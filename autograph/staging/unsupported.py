"""Python's errors for operations that the value a staged one stands for does not support.

    len(n), n(), n[0], n + None        of a staged int: TypeError, as of any int

They are raised where control reaches the operation.  Operators and backends ask, when an operation
is none of theirs; the text is what Python says about an example of the same class.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from autograph.diagnostics.runtime_exceptions import raise_as_python
from autograph.staging.registry import staging_backend
from autograph.staging.staged_list import TracedList, kind_of
from autograph.staging.staged_map import TracedMap
from autograph.staging.staged_string import StagedText
from autograph.staging.staged_union import StagedUnion


def check_supported(
    operation: Callable[..., Any], *operands: Any,
    raised: tuple[type[Exception], ...] = (TypeError,),
) -> None:
    """Raise what Python raises if it has no such operation on operands of these classes.

    Args:
        operation: Python's own, such as ``len`` or ``operator.add``; it is called with an example
            of each staged operand, and must not change the others.
        *operands: the operands.
        raised: the exceptions that depend on nothing but the classes.
    """
    tried = [example(operand) for operand in operands]
    unknown = any(staging_backend(value) is not None for value in tried)
    if unknown or all(map(operator.is_, tried, operands)):
        return
    try:
        operation(*tried)
    except raised as error:
        failure = error
    except Exception:  # about the values of the examples
        return
    else:
        return
    raise_as_python(failure.with_traceback(None))


def example(value: Any) -> Any:
    """A value of the class that a staged value stands for; any other value itself."""
    if isinstance(value, StagedText):
        return ""
    if isinstance(value, (TracedList, TracedMap)):
        return kind_of(value)()
    backend = None if isinstance(value, StagedUnion) else staging_backend(value)
    return value if backend is None else backend.example(value)
