"""The ways to make a dataset that need no other: of tensors, numbers, generators, files."""

from __future__ import annotations

import functools
import glob
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.data import batching, shuffling, sources
from runtime.data.base import Base
from runtime.data.elements import (
    Layout,
    as_element,
    as_row,
    components,
    map_leaves,
    spec_of,
)
from runtime.data.int_arguments import seed_of, whole
from runtime.eager.tensor import EAGER, Tensor
from runtime.graph.operation import SymbolicTensor
from runtime.ops import dispatch
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.random.sampling import source_of
from runtime.ops.resource.dataset import DatasetSource, Row
from runtime.types import nest, treedef
from runtime.types.composite import CompositeSpec
from runtime.types.dtypes import as_dtype, int64, string
from runtime.types.errors import InvalidArgumentError
from runtime.types.node_types import NodeType
from runtime.types.shapes import TensorShape, TensorSpec
from runtime.types.treedef import StructureError

if TYPE_CHECKING:
    from runtime.data.dataset import Dataset


class Creation(Base):
    """Class methods that make datasets."""

    @classmethod
    def from_tensors(cls, tensors: Any, name: str | None = None) -> Dataset:
        """A dataset of one element: a nest of what can be tensors, lists being tensors."""
        element = as_element(tensors, "Dataset.from_tensors")
        layout = Layout(spec_of(element))
        return cls._of("Tensor", sources.tensors, layout, components(element), name=name)

    @classmethod
    def from_tensor_slices(cls, tensors: Any, name: str | None = None) -> Dataset:
        """The entries of tensors along their first axis; in a nest, those of all side by side.

        ValueError for scalars, and for sizes that differ.
        """
        element = as_element(tensors, "Dataset.from_tensor_slices")
        flat = components(element)
        if not flat:
            raise ValueError(f"Invalid `tensors`. Empty list not allowed: got {tensors!r}")
        layout = Layout(spec_of(element))
        entry_layout = layout.unbatched("Dataset.from_tensor_slices()")
        build = functools.partial(batching.slices, specs=layout.encoded)
        return cls._of("TensorSlice", build, entry_layout, flat, name=name)

    @classmethod
    def range(cls, *args: Any, output_type: Any = int64, name: str | None = None) -> Dataset:
        """The numbers of Python's ``range(*args)``, as scalars of ``output_type``."""
        if not 1 <= len(args) <= 3:
            raise ValueError(f"Invalid `args`. The length of `args` should be between 1 and 3, "
                             f"but its length is {len(args)}.")  # fmt: skip
        dtype = as_dtype(output_type)
        start, stop = (0, args[0]) if len(args) == 1 else args[:2]
        step = args[2] if len(args) == 3 else 1
        if not isinstance(step, Tensor) and step == 0:
            raise InvalidArgumentError("Dataset.range: step cannot be zero.")
        inputs = [whole(v, n) for v, n in ((start, "start"), (stop, "stop"), (step, "step"))]
        build = functools.partial(sources.numbers, dtype=dtype.as_numpy_dtype)
        return cls._of("Range", build, Layout(TensorSpec((), dtype)), inputs, name=name)

    @classmethod
    def counter(
        cls, start: Any = 0, step: Any = 1, dtype: Any = int64, name: str | None = None
    ) -> Dataset:
        """``start``, ``start + step`` ... without end."""
        kind = as_dtype(dtype)
        build = functools.partial(sources.counter, dtype=kind.as_numpy_dtype)
        inputs = [whole(start, "start"), whole(step, "step")]
        return cls._of("Counter", build, Layout(TensorSpec((), kind)), inputs, name=name)

    @classmethod
    def random(
        cls, seed: int | None = None, rerandomize_each_iteration: bool | None = None,
        name: str | None = None,
    ) -> Dataset:
        """Random whole numbers from 0 to before 2**32, without end.

        Every iteration gives the same ones, unless ``rerandomize_each_iteration``.
        """
        chance = source_of("random_dataset", seed_of(seed))
        anew = bool(rerandomize_each_iteration)
        build = functools.partial(shuffling.random_numbers, chance=chance, anew=anew)
        return cls._of("Random", build, Layout(TensorSpec((), int64)), name=name)

    @classmethod
    def from_generator(
        cls, generator: Callable[..., Any], output_types: Any = None, output_shapes: Any = None,
        args: Any = None, output_signature: Any = None, name: str | None = None,
    ) -> Dataset:
        """What ``generator(*args)`` yields, called anew for each iteration.

        ``output_signature`` is a nest of TensorSpecs; or else ``output_types`` one of dtypes and
        ``output_shapes`` one of shapes.  ``args`` reach the generator as NumPy's arrays.
        InvalidArgumentError, when it runs, for an element of another type (a TypeError too).
        """
        if not callable(generator):
            raise TypeError(f"`generator` must be a Python callable, got {generator!r}")
        layout = declared_layout(output_types, output_shapes, output_signature)
        inputs = [convert_to_tensor(value) for value in args or ()]
        build = functools.partial(_generator_rows, generator=generator, layout=layout)
        return cls._of("FlatMap", build, layout, inputs, name=name)

    @classmethod
    def from_dask(cls, collection: Any) -> Any:
        """The rows of an array, series or frame of Dask, or of a nest of some with as many rows.

        Elements are slices along the first axis; of a frame, dicts by the names of columns.  A
        block of rows, as Dask divides them, is computed at a time, by the current ``Client`` if
        there is one, and the next one while it is used.  TypeError for what is not Dask's,
        ValueError for arrays without rows, or of several numbers of rows.
        """
        from runtime.data.dask_rows import dask_rows

        return dask_rows(cls, collection)

    @classmethod
    def list_files(
        cls, file_pattern: Any, shuffle: bool | None = None, seed: int | None = None,
        name: str | None = None,
    ) -> Dataset:
        """The names of the files that match a pattern, or one of several, as string tensors.

        In a random order, another each time, unless ``shuffle=False``.  InvalidArgumentError when
        no file matches.
        """
        files = files_matching(file_pattern, "Dataset.list_files")
        dataset = cls.from_tensor_slices(files, name=name)
        return dataset if shuffle is False else dataset.shuffle(len(files), seed)


def files_matching(patterns: Any, caller: str) -> list[str]:
    """The names of the files that match a pattern, or several, in order; once for each pattern.

    InvalidArgumentError when no file does, TypeError for patterns that are not known yet.
    """
    tensor = convert_to_tensor(as_texts(patterns), string)
    value = tensor.spec.value if isinstance(tensor, SymbolicTensor) else tensor._array
    if value is None:
        raise TypeError(
            f"{caller}: the patterns must be known when the dataset is made, got the symbolic "
            f"tensor {tensor!r}. Give texts."
        )
    texts = [pattern.decode() for pattern in np.asarray(value).reshape(-1)]
    files = sorted([file for text in texts for file in glob.glob(text)])
    if not files:
        raise InvalidArgumentError(f"No files matched pattern: {', '.join(texts)}")
    return files


def as_texts(names: Any) -> Any:
    """Names of files with Python's paths as texts."""
    if isinstance(names, list | tuple):
        return [as_texts(name) for name in names]
    return os.fspath(names) if isinstance(names, os.PathLike) else names


def declared_layout(types: Any, shapes: Any, signature: Any) -> Layout:
    """The layout that a user says a generator's elements have."""
    if signature is not None:
        if types is not None or shapes is not None:
            raise TypeError(
                "The `output_types` and `output_shapes` arguments can not be used together with "
                "the `output_signature` argument."
            )
        for spec in nest.flatten(signature):
            if not isinstance(spec, TensorSpec | CompositeSpec):
                raise TypeError(
                    "`output_signature` must contain objects that are subclass of `tf.TypeSpec` "
                    f"but found {type(spec)} which is not: {spec!r}."
                )
        return Layout(map_leaves(_nameless, signature))
    if types is None:
        raise TypeError("Either `output_signature` or `output_types` must be specified")
    dtypes = map_leaves(as_dtype, types)
    flat = nest.flatten(dtypes)
    static_shapes = [None] * len(flat) if shapes is None else _shapes(dtypes, shapes)
    specs = [TensorSpec(shape, dtype) for shape, dtype in zip(static_shapes, flat, strict=True)]
    return Layout(nest.pack_sequence_as(dtypes, specs))


def _nameless(spec: Any) -> Any:
    return TensorSpec(spec.shape, spec.dtype) if isinstance(spec, TensorSpec) else spec


def _shapes(dtypes: Any, shapes: Any) -> list[Any]:
    """The shapes in a nest as that of the dtypes."""
    structure = treedef.flatten(dtypes)[1]
    try:
        return [TensorShape(shape) for shape in structure.flatten_up_to(shapes, _is_laid_out)]
    except StructureError as error:
        kind = ValueError if _is_nest(error.value) else TypeError
        dtype_part = nest.part_at(dtypes, error.path)
        raise kind(
            f"output_shapes={error.value!r} must be a nest as output_types={dtype_part!r}"
        ) from None


def _is_laid_out(kind: NodeType, data: Any, arity: int, shapes: Any) -> bool:
    return _is_nest(shapes) and len(nest.entries(shapes)) == arity


def _is_nest(shapes: Any) -> bool:
    """Whether these are several shapes; a list is one."""
    return nest.is_nested(shapes) and not isinstance(shapes, list)


def eagerly(function: Callable[..., Any], *args: Any) -> Any:
    """A call of the user's Python, while rows are being made: not recorded in any graph."""
    if dispatch.executing_eagerly():
        return function(*args)
    with dispatch.as_current(EAGER):
        return function(*args)


def _generator_rows(*args: Any, generator: Callable[..., Any], layout: Layout) -> DatasetSource:
    """The rows of what a generator yields."""

    def open() -> Iterator[Row]:
        items = eagerly(lambda: iter(generator(*[a[()] for a in args])))

        def step() -> Row:
            return as_row(eagerly(next, items), layout, "`generator`")

        return sources.stepping(step)

    return DatasetSource(open)


