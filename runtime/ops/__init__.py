"""The rows, one family a file; importing this package fills the table.

MODULES is the one list of families: ``runtime`` exports each one's ``__all__``.
"""

from runtime.ops import (
    adjoints,
    array_gradients,
    arrays,
    clipping,
    comparison,
    constants,
    control_flow,
    creation,
    custom,
    datasets,
    effects,
    elementwise,
    functions,
    gathering,
    indexing,
    joining,
    linalg,
    list_gradients,
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
    shuffling,
    sorting,
    special,
    state,
    strings,
    tries,
)

MODULES = (
    constants, elementwise, functions, special, logical, comparison, selection, reduction, scans,
    clipping, creation, shape, joining, indexing, gathering, scattering, sorting, linalg, matrices,
    nn, random, strings, adjoints, effects, control_flow, tries, recursion, state, lists, arrays,
    array_gradients, list_gradients, custom, shuffling, datasets,
)  # fmt: skip
