"""The rows, one family a file; importing this package fills the table.

MODULES is the one list of families: ``runtime`` exports each one's ``__all__``.
"""

from runtime.ops import (
    comparison,
    constants,
    effects,
    elementwise,
    indexing,
    linalg,
    reduction,
    shape,
)

MODULES = (constants, elementwise, comparison, reduction, shape, indexing, linalg, effects)
