"""All rules of import: importing this fills the tables of ``interpreter``."""

from runtime.export.onnx_models.reading import (  # noqa: F401
    arithmetic,
    control,
    indexing,
    normalization,
    ordering,
    products,
    quantization,
    recurrent,
    reductions,
    resizing,
    sequences,
    shapes,
    windows,
)
