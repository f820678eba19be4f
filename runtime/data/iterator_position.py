"""``IteratorPosition``: what a checkpoint holds of an iterator over a dataset.

Made by iterators.py for ``train.Checkpoint``, which saves and restores variables.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.resource.dataset import Cursor
from runtime.state.variable import Variable


class IteratorPosition(Variable):
    """Number of the elements that an iteration gave; assigning it moves the iteration.

    Args:
        cursor: the iteration.
    """

    def __init__(self, cursor: Cursor) -> None:
        super().__init__(np.int64(0), trainable=False, name="iterator_position")
        self._cursor = cursor

    def numpy(self) -> Any:
        """Return the number."""
        return np.int64(self._cursor.position)

    def assign(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Move the iteration to a place: elements before it are read and dropped."""
        self._cursor.move_to(int(value))
        return super().assign(value, *args, **kwargs)
