"""The rows, one family a file; importing this package fills the table.

MODULES is the one list of families: ``runtime`` exports each one's ``__all__``.
"""

from runtime.ops import (
    arrays,
    clipping,
    comparison,
    constants,
    control_flow,
    creation,
    effects,
    elementwise,
    functions,
    gathering,
    indexing,
    joining,
    linalg,
    lists,
    logical,
    matrices,
    nn,
    random,
    recursion,
    reduction,
    scans,
    scattering,
    selection,
    shape,
    sorting,
    state,
    strings,
    tries,
)

MODULES = (
    constants, elementwise, functions, logical, comparison, selection, reduction, scans, clipping,
    creation, shape, joining, indexing, gathering, scattering, sorting, linalg, matrices, nn,
    random, strings, effects, control_flow, tries, recursion, state, lists,
    arrays,
)  # fmt: skip
