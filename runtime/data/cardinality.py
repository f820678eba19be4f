"""What datasets do at run time where the number of rows matters: all, one, or one of them."""

from __future__ import annotations

import itertools
from typing import Any

from runtime.data.sources import Rows, stepping
from runtime.ops.resource.dataset import INFINITE, DatasetSource, Row
from runtime.types.errors import FailedPreconditionError, InvalidArgumentError, OutOfRangeError


def checked(source: DatasetSource, expected: Any) -> DatasetSource:
    """The rows, of which there must be as many as expected."""
    cardinality = int(expected)

    def open() -> Rows:
        rows = source.open()
        count = 0

        def step() -> Row:
            nonlocal count
            for row in rows:
                count += 1
                if cardinality == INFINITE or count <= cardinality:
                    return row
                raise _wrong_size(cardinality, f"at least {count} elements")
            if cardinality == INFINITE or count != cardinality:
                raise _wrong_size(cardinality, f"only {count} element{'s' * (count != 1)}")
            raise StopIteration

        return stepping(step)

    return DatasetSource(open, cardinality)


def _wrong_size(cardinality: int, contents: str) -> Exception:
    expected = "an infinite number of" if cardinality == INFINITE else str(cardinality)
    return FailedPreconditionError(
        f"Input dataset was expected to contain {expected} element{'s' * (cardinality != 1)} but "
        f"contained {contents}."
    )


def single(source: DatasetSource) -> DatasetSource:
    """The only row."""

    def open() -> Rows:
        rows = list(itertools.islice(source.open(), 2))
        if len(rows) != 1:
            raise InvalidArgumentError(
                "Dataset had more than one element." if rows else "Dataset was empty."
            )
        return iter(rows)

    return DatasetSource(open, 1)


def at(source: DatasetSource, index: Any) -> DatasetSource:
    """The row with a number; OutOfRangeError where there is none."""
    number = int(index)

    def open() -> Rows:
        rows = list(itertools.islice(source.open(), number, number + 1)) if number >= 0 else []
        if not rows:
            raise OutOfRangeError(f"Index out of range: there is no element {number}")
        return iter(rows)

    return DatasetSource(open, 1)
