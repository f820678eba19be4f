"""All rules of export: importing this fills the tables of ``graph_writer``."""

from runtime.export.onnx_models.rules import (  # noqa: F401
    arithmetic,
    array_formulas,
    arrays,
    assignments,
    control,
    formulas,
    indexing,
    lists,
    matrices,
    ordering,
    products,
    python_numbers,
    reductions,
    refused,
    tensor_arrays,
    variables,
    windows,
)
