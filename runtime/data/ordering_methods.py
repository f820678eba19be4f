"""The methods of datasets about order and choice: shuffle, zip, sample, choose."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from runtime.data import shuffling, sources
from runtime.data.base import Base
from runtime.data.element_methods import joint_layout
from runtime.data.elements import Layout, map_leaves
from runtime.data.int_arguments import seed_of, whole
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.random.sampling import source_of
from runtime.ops.resource.dataset import UNKNOWN
from runtime.types import nest
from runtime.types.dtypes import float32, float64, int64
from runtime.types.shapes import TensorSpec

if TYPE_CHECKING:
    from runtime.data.dataset import Dataset


class Combining(Base):
    """Methods about order and choice."""

    def shuffle(
        self, buffer_size: Any, seed: int | None = None,
        reshuffle_each_iteration: bool | None = True, name: str | None = None,
    ) -> Dataset:
        """The elements in a random order: each is drawn from the next ``buffer_size`` of them.

        The order follows from ``seed`` and the global seed, if set; each iteration has another,
        unless ``reshuffle_each_iteration=False``.
        """
        size = whole(UNKNOWN if buffer_size is None else buffer_size, "buffer_size")
        anew = True if reshuffle_each_iteration is None else bool(reshuffle_each_iteration)
        chance = source_of("shuffle_dataset", seed_of(seed))
        build = functools.partial(shuffling.shuffled, chance=chance, anew=anew)
        return self._then("Shuffle", build, inputs=[size], name=name)

    @classmethod
    def zip(cls, *args: Any, datasets: Any = None, name: str | None = None) -> Dataset:
        """Elements of several datasets side by side, as long as all have one.

        Takes datasets, or one nest of them (tuples, dicts), which the elements are laid out as.
        """
        if not args and datasets is None:
            raise TypeError("Must pass at least one dataset to `zip`.")
        if args and datasets is not None:
            raise TypeError("Both `*args` and `datasets` cannot be set.")
        nested = datasets if not args else args[0] if len(args) == 1 else args
        flat = nest.flatten(nested)
        if isinstance(nested, list) or not all(isinstance(d, Base) for d in flat):
            raise TypeError(
                "Invalid input to `zip`. Inputs are expected to be (nested) structures of "
                "`tf.data.Dataset` objects. Python `list` is not supported and you should use "
                f"`tuple` instead. Got {nested!r}"
            )
        layout = Layout(map_leaves(lambda dataset: dataset.element_spec, nested))
        tensors = [dataset._variant_tensor for dataset in flat]
        return cls._of("Zip", sources.zipped, layout, tensors, name=name)

    @classmethod
    def choose_from_datasets(
        cls, datasets: Sequence[Any], choice_dataset: Any, stop_on_empty_dataset: bool = True
    ) -> Dataset:
        """The next element of ``datasets[k]`` for each int64 scalar ``k`` of ``choice_dataset``.

        Ends when a dataset to choose is at its end, or, without ``stop_on_empty_dataset``, goes
        on with the others.
        """
        layout = joint_layout(datasets, "Dataset.choose_from_datasets()")
        choice_spec = TensorSpec((), int64)
        if not isinstance(choice_dataset, Base) or choice_dataset.element_spec != choice_spec:
            raise TypeError(
                "Invalid `choice_dataset`. Elements of `choice_dataset` must be scalar "
                f"`tf.int64` tensors but are {getattr(choice_dataset, 'element_spec', None)}."
            )
        build = functools.partial(sources.chosen, stop_on_empty=bool(stop_on_empty_dataset))
        tensors = [dataset._variant_tensor for dataset in (choice_dataset, *datasets)]
        return cls._of("DirectedInterleave", build, layout, tensors)

    @classmethod
    def sample_from_datasets(
        cls, datasets: Sequence[Any], weights: Any = None, seed: int | None = None,
        stop_on_empty_dataset: bool = False, rerandomize_each_iteration: bool | None = None,
    ) -> Dataset:
        """Elements of several datasets, each drawn from one of them at random.

        ``weights`` (a number for each dataset, or a dataset of such vectors) say how often; all
        alike by default.  Ends with the last dataset, or, with ``stop_on_empty_dataset``, the
        first.
        """
        layout = joint_layout(datasets, "Dataset.sample_from_datasets()")
        if weights is None:
            weights = [1.0] * len(datasets)
        if isinstance(weights, Base):
            first = weights._variant_tensor
        else:
            vector = convert_to_tensor(weights)
            if vector.dtype not in (float32, float64):
                raise TypeError(
                    "Invalid `weights`. `weights` type must be either `tf.float32` or "
                    f"`tf.float64` but is {vector.dtype!r}."
                )
            first = cast(vector, float64)
            if not first.shape.is_compatible_with([len(datasets)]):
                raise ValueError(
                    "Invalid `weights`. The shape of `weights` should be compatible with "
                    f"`[len(datasets)]` = [{len(datasets)}], but is {first.shape}"
                )
        build = functools.partial(
            shuffling.sampled, chance=source_of("sample_dataset", seed_of(seed)),
            anew=bool(rerandomize_each_iteration), stop_on_empty=bool(stop_on_empty_dataset),
        )  # fmt: skip
        tensors = [first, *(dataset._variant_tensor for dataset in datasets)]
        return cls._of("DirectedInterleave", build, layout, tensors)
