"""Datasets of the rows of Dask's arrays and frames, which are computed block by block."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from runtime.types import nest
from runtime.types.dtypes import as_dtype, string
from runtime.types.shapes import TensorSpec


def dask_rows(cls: Any, collection: Any) -> Any:
    """Return the dataset of the rows; see ``Dataset.from_dask``."""
    structure = nest.map_structure(_arrays_of, collection)
    arrays = nest.flatten(structure)
    for array in arrays:
        if not (hasattr(array, "numblocks") and hasattr(array, "rechunk")):
            raise TypeError(
                f"from_dask takes arrays and frames of Dask, and nests of those, got {array!r}: "
                "NumPy's arrays go to from_tensor_slices"
            )
        if not array.ndim:
            raise ValueError(f"from_dask: {array!r} has no axis of rows")
    sizes = {array.shape[0] for array in arrays if array.shape[0] == array.shape[0]}
    if len(sizes) > 1:
        raise ValueError(f"from_dask: the arrays have {sorted(sizes)} rows: all must have as many")
    rows = arrays[0].chunks[0]
    # a block holds whole rows, of all arrays the same; sizes that Dask does not know are nan
    aligned = [
        array.rechunk({
            **({} if sum(rows) != sum(rows) else {0: rows}),
            **dict.fromkeys(range(1, array.ndim), -1),
        })
        for array in arrays
    ]  # fmt: skip
    if len({array.numblocks[0] for array in aligned}) > 1:
        raise ValueError(
            "from_dask: arrays whose sizes Dask does not know have other blocks of rows"
        )

    def blocks() -> Iterator[Any]:
        compute: Any = importlib.import_module("dask").compute
        for number in range(len(rows)):
            values = compute(*[array.blocks[number] for array in aligned])
            yield nest.pack_sequence_as(structure, [*map(_as_array, values)])

    specs = [
        TensorSpec([None, *[None if size != size else size for size in array.shape[1:]]],
                   _dtype_of(array.dtype))
        for array in aligned
    ]
    dataset = cls.from_generator(
        blocks, output_signature=nest.pack_sequence_as(structure, specs)
    ).prefetch(1).unbatch()  # fmt: skip
    if not sizes:
        return dataset
    return dataset.assert_cardinality(sizes.pop())


def _arrays_of(leaf: Any) -> Any:
    """Return the array of a series, the arrays of a frame in a dict by column, others as they are.
    """
    if not hasattr(leaf, "to_dask_array"):
        return leaf
    if leaf.ndim == 2:
        return {str(name): leaf[name].to_dask_array() for name in leaf.columns}
    return leaf.to_dask_array()


def _dtype_of(dtype: Any) -> Any:
    """Return the dtype of tensors; texts of frames have one of pandas' own."""
    is_text = not isinstance(dtype, np.dtype) or dtype.kind in "OUS"
    return string if is_text else as_dtype(dtype)


def _as_array(block: Any) -> Any:
    array = np.asarray(block)
    return array.astype(object) if array.dtype.kind in "OUST" else array
