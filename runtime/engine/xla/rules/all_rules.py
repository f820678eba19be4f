"""All rules: importing this fills the tables of the interpreter."""

from runtime.engine.xla.rules import (  # noqa: F401
    control,
    indexing,
    linalg,
    lists,
    math,
    python_numbers,
    random,
    replicas,
    segments,
    selection,
    slices,
    special,
    tensor_arrays,
    variables,
    windows,
)
