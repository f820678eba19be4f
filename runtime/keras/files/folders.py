"""Datasets of folders: a folder of files for each class, as images or texts with labels."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.composite.images.files import decode_image
from runtime.composite.images.places import resize
from runtime.control_flow.py_function import numpy_function
from runtime.data.dataset import Dataset
from runtime.eager.tensor import wrap
from runtime.keras import config
from runtime.ops.array.creation import one_hot
from runtime.ops.array.shape import ensure_shape, transpose
from runtime.ops.resource.files import read_file
from runtime.ops.string.strings import substr
from runtime.types.dtypes import float32

_IMAGES = (".bmp", ".gif", ".jpeg", ".jpg", ".png")
_TEXTS = (".txt",)
_CHANNELS = {"grayscale": 1, "rgb": 3, "rgba": 4}
_LABEL_MODES = ("int", "categorical", "binary", None)


class LabeledFiles:
    """Names of files, their labels, and the names of the classes."""

    def __init__(self, paths: Sequence[str], labels: Any, class_names: Sequence[str]) -> None:
        self.paths, self.labels, self.class_names = list(paths), labels, list(class_names)


def labeled_files(directory: Any, labels: Any, class_names: Any, endings: tuple[str, ...],
                  follow_links: bool, shown: str | None) -> LabeledFiles:  # fmt: skip
    """List the files of a folder with their labels, in order.

    ValueError for class names that are not the folders', or another number of labels.
    """
    root = os.fspath(directory)
    if labels == "inferred":
        folders = sorted(
            name for name in os.listdir(root) if os.path.isdir(os.path.join(root, name))
        )
        if class_names is not None and set(class_names) != set(folders):
            raise ValueError(
                f"The class_names passed did not match the names of the subdirectories of the "
                f"target directory. Expected: {folders}, but received: {list(class_names)}"
            )
        names = folders if class_names is None else list(class_names)
        listed = [
            (path, number) for number, name in enumerate(names)
            for path in files_in(os.path.join(root, name), endings, follow_links)
        ]  # fmt: skip
        result = LabeledFiles([p for p, _ in listed], np.array([n for _, n in listed]), names)
    else:
        names = []
        paths = files_in(root, endings, follow_links)
        given = None if labels is None else np.asarray(labels)
        if given is not None and len(given) != len(paths):
            raise ValueError(
                f"Expected the lengths of labels to match the number of files in the target "
                f"directory. len(labels) is {len(given)} while we found {len(paths)} files in "
                f"directory {root}."
            )
        result = LabeledFiles(paths, given, names)
    if shown is not None:
        print(shown.format(len(result.paths), len(names)))
    return result


def files_in(folder: str, endings: tuple[str, ...], follow_links: bool) -> list[str]:
    """List the files with some endings in a folder and the folders in it, in order."""
    paths = []
    for place, folders, files in sorted(os.walk(folder, followlinks=follow_links)):
        folders.sort()
        paths += [os.path.join(place, n) for n in sorted(files) if n.lower().endswith(endings)]
    return paths


def _parts(files: LabeledFiles, split: float | None, subset: str | None,
           verbose: bool) -> list[LabeledFiles]:  # fmt: skip
    if not split:
        return [files]
    count = int(split * len(files.paths))
    ranges = {"training": slice(0, len(files.paths) - count),
              "validation": slice(len(files.paths) - count, None)}  # fmt: skip
    chosen = list(ranges) if subset == "both" else [subset]
    parts = []
    for name in chosen:
        part = ranges[str(name)]
        labels = None if files.labels is None else files.labels[part]
        parts.append(LabeledFiles(files.paths[part], labels, files.class_names))
        if verbose:
            print(f"Using {len(parts[-1].paths)} files for {name}.")
    return parts


def _check(labels: Any, label_mode: str | None, split: float | None, subset: str | None,
           shuffle: bool, seed: int | None) -> None:  # fmt: skip
    if labels not in ("inferred", None) and not isinstance(labels, list | tuple):
        raise ValueError(
            "`labels` argument should be a list/tuple of integer labels, of the same size as the "
            f"number of files in the target directory, 'inferred' or None, got {labels!r}"
        )
    if label_mode not in _LABEL_MODES:
        raise ValueError(f"`label_mode` argument must be one of {_LABEL_MODES}, got {label_mode!r}")
    if split is not None and not 0 < split < 1:
        raise ValueError(f"`validation_split` must be between 0 and 1, received: {split}")
    if (split is None) != (subset is None):
        raise ValueError("If `subset` is set, `validation_split` must be set, and inversely.")
    if subset not in (None, "training", "validation", "both"):
        raise ValueError(f"`subset` must be 'training', 'validation' or 'both', got {subset!r}")
    if split and shuffle and seed is None:
        raise ValueError(
            "If using `validation_split` and shuffling the data, you must provide a `seed` "
            "argument, to make sure that there is no overlap between the two subsets."
        )


def _datasets(directory: Any, labels: Any, label_mode: str | None, class_names: Any,
              batch_size: int | None, shuffle: bool, seed: int | None, split: float | None,
              subset: str | None, follow_links: bool, verbose: bool, endings: tuple[str, ...],
              read: Callable[[Any], Any]) -> Any:  # fmt: skip
    """The dataset, or the pair, of a folder; ``read`` makes an element of a file's name."""
    _check(labels, label_mode, split, subset, shuffle, seed)
    if labels is None:
        label_mode = None
    shown = "Found {} files." if label_mode is None else "Found {} files belonging to {} classes."
    files = labeled_files(
        directory, labels, class_names, endings, follow_links, shown if verbose else None
    )
    if label_mode == "binary" and len(files.class_names) not in (0, 2):
        raise ValueError(
            "When passing `label_mode='binary'`, there must be exactly 2 class_names, received "
            f"{files.class_names}"
        )
    if shuffle:
        chance = np.random.RandomState(np.random.randint(1_000_000) if seed is None else seed)
        order = chance.permutation(len(files.paths))
        files.paths = [files.paths[k] for k in order]
        files.labels = None if files.labels is None else files.labels[order]
    results = []
    for number, part in enumerate(_parts(files, split, subset, verbose)):
        if not part.paths:
            raise ValueError(
                f"No files found in directory {os.fspath(directory)}. Allowed formats: {endings}"
            )
        data = _labeled(part, label_mode, read)
        if shuffle and (subset != "both" or number == 0):
            data = data.shuffle(8 * (batch_size or 128), seed=seed)
        data = data if batch_size is None else data.batch(batch_size)
        data = data.prefetch(2)
        data.class_names, data.file_paths = part.class_names, part.paths
        results.append(data)
    return tuple(results) if len(results) > 1 else results[0]


def _labeled(files: LabeledFiles, label_mode: str | None, read: Callable[[Any], Any]) -> Any:
    paths = Dataset.from_tensor_slices(files.paths)
    elements = paths.map(read)
    if label_mode is None:
        return elements
    numbers = Dataset.from_tensor_slices(np.asarray(files.labels, np.int32))
    if label_mode == "binary":
        numbers = Dataset.from_tensor_slices(np.asarray(files.labels, np.float32)[:, None])
    elif label_mode == "categorical":
        count = len(files.class_names)
        numbers = numbers.map(lambda number: one_hot(number, count))
    return Dataset.zip((elements, numbers))


def image_dataset_from_directory(
    directory: Any, labels: Any = "inferred", label_mode: str | None = "int",
    class_names: Any = None, color_mode: str = "rgb", batch_size: int | None = 32,
    image_size: Any = (256, 256), shuffle: bool = True, seed: int | None = None,
    validation_split: float | None = None, subset: str | None = None,
    interpolation: str = "bilinear", follow_links: bool = False,
    crop_to_aspect_ratio: bool = False, pad_to_aspect_ratio: bool = False,
    data_format: str | None = None, format: str = "tf", verbose: bool = True,
) -> Any:
    """Make a dataset of the images in a folder, of which each folder is a class.

    Args:
        directory: folder.
        labels: 'inferred' from the folders, None, or a list with a label for each file.
        label_mode: 'int', 'categorical', 'binary' or None.
        class_names: names of the folders in the order of their numbers; by default sorted.
        color_mode: grayscale, rgb or rgba.
        batch_size: number of images in a batch; None for single ones.
        image_size: height and width that images are resized to.
        shuffle: whether the files come in a random order.
        seed: seed of that order.
        validation_split: the part of the files that is for validation.
        subset: 'training', 'validation', or 'both' for a pair of datasets.
        interpolation: how images are resized, one of ``image.ResizeMethod``.
        follow_links: whether folders that are links are entered.
        crop_to_aspect_ratio: whether the middle is cut out first, so that nothing is distorted.
        pad_to_aspect_ratio: False; ``image.resize_with_pad`` puts zeros around images.
        data_format: channels_last or channels_first; by default that of the configuration.
        format: 'tf': a dataset.
        verbose: whether the number of files is printed.
    Returns:
        Dataset of float32 images from 0 to 255, with labels; ``class_names`` and ``file_paths`` are
        its attributes.
    Raises:
        ValueError: an argument is another one, or there is no image.
    """
    if color_mode not in _CHANNELS:
        raise ValueError(f"`color_mode` must be one of {tuple(_CHANNELS)}, got {color_mode!r}")
    if format != "tf" or pad_to_aspect_ratio:
        raise ValueError(
            "image_dataset_from_directory takes format='tf' and pad_to_aspect_ratio=False; "
            "map image.resize_with_pad over single images"
        )
    channels, (height, width) = _CHANNELS[color_mode], image_size
    layout = data_format or config.image_data_format()

    def read(path: Any) -> Any:
        image = decode_image(read_file(path), channels=channels, expand_animations=False)
        image = sized(image, int(height), int(width), interpolation, crop_to_aspect_ratio)
        image = ensure_shape(image, [height, width, channels])
        return transpose(image, [2, 0, 1]) if layout == "channels_first" else image

    return _datasets(directory, labels, label_mode, class_names, batch_size, shuffle, seed,
                     validation_split, subset, follow_links, verbose, _IMAGES, read)  # fmt: skip


def sized(image: Any, height: int, width: int, method: str, crop: bool) -> Any:
    """Resize an image whose size is known only at run time: ``image.resize`` needs it before."""

    def resized(pixels: Any) -> Any:
        rows, columns = pixels.shape[:2]
        if crop:
            cut = [min(rows, int(columns * height / width)),
                   min(columns, int(rows * width / height))]  # fmt: skip
            top, left = (rows - cut[0]) // 2, (columns - cut[1]) // 2
            pixels = pixels[top : top + cut[0], left : left + cut[1]]
        smaller = resize(wrap(np.ascontiguousarray(pixels)), (height, width), method)
        return smaller.numpy().astype(np.float32)

    return numpy_function(resized, [image], float32)


def text_dataset_from_directory(
    directory: Any, labels: Any = "inferred", label_mode: str | None = "int",
    class_names: Any = None, batch_size: int | None = 32, max_length: int | None = None,
    shuffle: bool = True, seed: int | None = None, validation_split: float | None = None,
    subset: str | None = None, follow_links: bool = False, format: str = "tf",
    verbose: bool = True,
) -> Any:
    """Make a dataset of the text files (.txt) in a folder, of which each folder is a class.

    Args:
        directory: folder.
        labels: 'inferred' from the folders, None, or a list with a label for each file.
        label_mode: 'int', 'categorical', 'binary' or None.
        class_names: names of the folders in the order of their numbers; by default sorted.
        batch_size: number of texts in a batch; None for single ones.
        max_length: greatest number of bytes of a text; longer ones are cut.
        shuffle: whether the files come in a random order.
        seed: seed of that order.
        validation_split: the part of the files that is for validation.
        subset: 'training', 'validation', or 'both' for a pair of datasets.
        follow_links: whether folders that are links are entered.
        format: 'tf': a dataset.
        verbose: whether the number of files is printed.
    Returns:
        Dataset of strings, with labels; ``class_names`` and ``file_paths`` are its attributes.
    Raises:
        ValueError: an argument is another one, or there is no text.
    """
    if format != "tf":
        raise ValueError(f"text_dataset_from_directory takes format='tf', got {format!r}")

    def read(path: Any) -> Any:
        text = read_file(path)
        return text if max_length is None else substr(text, 0, max_length)

    return _datasets(directory, labels, label_mode, class_names, batch_size, shuffle, seed,
                     validation_split, subset, follow_links, verbose, _TEXTS, read)  # fmt: skip
