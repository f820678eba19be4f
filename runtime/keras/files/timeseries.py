"""``timeseries_dataset_from_array``: windows of a series, as batches of a dataset."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.data.dataset import Dataset
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.array.creation import range as range_of
from runtime.ops.array.gather_scatter import gather
from runtime.types.dtypes import int64

__all__ = ["timeseries_dataset_from_array"]


def timeseries_dataset_from_array(
    data: Any, targets: Any, sequence_length: int, sequence_stride: int = 1,
    sampling_rate: int = 1, batch_size: int | None = 128, shuffle: bool = False,
    seed: int | None = None, start_index: int | None = None, end_index: int | None = None,
    format: str = "tf",
) -> Any:  # fmt: skip
    """Make a dataset of windows of a series, with the target of each.

    Args:
        data: array whose first axis is time.
        targets: array: ``targets[i]`` is that of the window which begins at ``i``; or None.
        sequence_length: number of points in a window.
        sequence_stride: distance of the beginnings of windows.
        sampling_rate: distance of the points in a window.
        batch_size: number of windows in a batch; None for single ones.
        shuffle: whether the windows come in a random order.
        seed: seed of that order.
        start_index: first point that is used.
        end_index: point behind the last one that is used.
        format: 'tf': a dataset.
    Returns:
        Dataset of windows, or of pairs of windows and targets.
    Raises:
        ValueError: a number is not positive, or an index is outside of the data.
    """
    if format != "tf":
        raise ValueError(f"`format` must be 'tf' here. Received: format={format}")
    count = len(data)
    _check_range("start_index", start_index, 0, count)
    _check_range("end_index", end_index, (start_index or 0) + 1, count)
    _check_steps(count, sampling_rate=sampling_rate, sequence_stride=sequence_stride)
    _check_steps(None, sequence_length=sequence_length)
    first, end = start_index or 0, count if end_index is None else end_index
    reach = end - first - (sequence_length - 1) * sampling_rate
    if targets is not None:
        reach = min(reach, len(targets))
    starts = np.arange(0, max(reach, 0), sequence_stride, dtype=np.int64)
    if shuffle:
        chosen = np.random.randint(1_000_000) if seed is None else seed
        np.random.RandomState(chosen).shuffle(starts)
    series = convert_to_tensor(data)[first:end]

    def window(start: Any) -> Any:
        places = start + range_of(convert_to_tensor(sequence_length, int64)) * sampling_rate
        return gather(series, places)

    numbers = Dataset.from_tensor_slices(starts)
    dataset: Any = numbers.map(window)
    if targets is not None:
        wanted = convert_to_tensor(targets)[first:] if first else convert_to_tensor(targets)
        dataset = Dataset.zip((dataset, numbers.map(lambda start: gather(wanted, start))))
    if batch_size is None:
        return dataset.shuffle(1024, seed=seed) if shuffle else dataset
    dataset = dataset.shuffle(batch_size * 8, seed=seed) if shuffle else dataset
    return dataset.batch(batch_size)


def _check_steps(count: int | None, **steps: int) -> None:
    for name, number in steps.items():
        if number <= 0:
            raise ValueError(f"`{name}` must be higher than 0. Received: {name}={number}")
        if count is not None and number >= count:
            raise ValueError(
                f"`{name}` must be lower than the length of the data. Received: {name}={number} "
                f"for data of length {count}"
            )


def _check_range(name: str, index: int | None, least: int, bound: int) -> None:
    if index is not None and not least <= index < bound:
        raise ValueError(
            f"`{name}` must be at least {least} and below {bound}. Received: {name}={index}"
        )
