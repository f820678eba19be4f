"""``keras.utils.load_img`` and its relatives: images as Pillow's objects and as arrays."""

from __future__ import annotations

import io
import os
from typing import Any

import numpy as np

from runtime.composite.images.files import pillow
from runtime.keras import config
from runtime.types.dtypes import as_dtype

_MODES = {"grayscale": "L", "rgb": "RGB", "rgba": "RGBA"}
_RESAMPLING = {
    "nearest": "NEAREST", "bilinear": "BILINEAR", "bicubic": "BICUBIC", "hamming": "HAMMING",
    "box": "BOX", "lanczos": "LANCZOS",
}  # fmt: skip


def load_img(path: Any, color_mode: str = "rgb", target_size: Any = None,
             interpolation: str = "nearest", keep_aspect_ratio: bool = False) -> Any:  # fmt: skip
    """Read an image as an object of Pillow's.

    Args:
        path: name of a file, or an open file.
        color_mode: grayscale, rgb or rgba.
        target_size: height and width that it is resized to; by default its own.
        interpolation: nearest, bilinear, bicubic, hamming, box or lanczos.
        keep_aspect_ratio: whether the middle is cut out first, so that nothing is distorted.
    Returns:
        Image of Pillow's.
    Raises:
        ValueError: ``color_mode`` or ``interpolation`` is another one.
        FileNotFoundError: there is no such file.
    """
    module = pillow("keras.utils.load_img")
    if color_mode not in _MODES:
        raise ValueError(f"color_mode must be one of {', '.join(_MODES)}, got {color_mode!r}")
    if isinstance(path, io.IOBase):
        image = module.open(path)
    else:
        with open(os.fspath(path), "rb") as file:
            image = module.open(io.BytesIO(file.read()))
    if image.mode != _MODES[color_mode]:
        image = image.convert(_MODES[color_mode])
    if target_size is None:
        return image
    if interpolation not in _RESAMPLING:
        raise ValueError(f"Invalid interpolation method {interpolation!r}: one of "
                         f"{', '.join(_RESAMPLING)}")  # fmt: skip
    height, width = target_size
    if (image.height, image.width) == (height, width):
        return image
    box = None
    if keep_aspect_ratio:
        cut_height = min(image.height, int(image.width * height / width))
        cut_width = min(image.width, int(image.height * width / height))
        left, top = (image.width - cut_width) // 2, (image.height - cut_height) // 2
        box = (left, top, left + cut_width, top + cut_height)
    how = getattr(module.Resampling, _RESAMPLING[interpolation])
    return image.resize((width, height), how, box=box)


def img_to_array(img: Any, data_format: str | None = None, dtype: Any = None) -> Any:
    """Convert an image of Pillow's to an array.

    Args:
        img: image.
        data_format: channels_last or channels_first; by default that of the configuration.
        dtype: dtype of the array; by default the default float.
    Returns:
        Array of NumPy's with three axes.
    Raises:
        ValueError: the data format or the number of axes is another one.
    """
    layout = data_format or config.image_data_format()
    _check_layout(layout)
    array = np.asarray(img, np.dtype(as_dtype(dtype or config.floatx()).as_numpy_dtype))
    if array.ndim == 2:
        array = array[..., None]
    if array.ndim != 3:
        raise ValueError(f"Unsupported image shape: {array.shape}")
    return array.transpose(2, 0, 1) if layout == "channels_first" else array


def _check_layout(layout: str) -> None:
    if layout not in ("channels_first", "channels_last"):
        raise ValueError(f"Unknown data_format: {layout!r}")


def array_to_img(x: Any, data_format: str | None = None, scale: bool = True,
                 dtype: Any = None) -> Any:  # fmt: skip
    """Convert an array to an image of Pillow's.

    Args:
        x: array or tensor with three axes.
        data_format: channels_last or channels_first; by default that of the configuration.
        scale: whether the values are brought to the range from 0 to 255.
        dtype: dtype in which that is computed.
    Returns:
        Image of Pillow's.
    Raises:
        ValueError: the data format, or the number of axes or channels, is another one.
    """
    module = pillow("keras.utils.array_to_img")
    layout = data_format or config.image_data_format()
    _check_layout(layout)
    array = np.asarray(x, np.dtype(as_dtype(dtype or config.floatx()).as_numpy_dtype))
    if array.ndim != 3:
        raise ValueError(f"Expected image array to have rank 3 (single image). Got {array.shape}")
    if layout == "channels_first":
        array = array.transpose(1, 2, 0)
    if scale:
        array = array - array.min()
        greatest = array.max()
        array = array / greatest * 255 if greatest else array
    channels = array.shape[2]
    if channels == 1:
        if array.max() > 255:  # 32-bit grey, as Keras has it
            return module.fromarray(array[:, :, 0].astype("int32"))
        return module.fromarray(array[:, :, 0].astype("uint8"))
    if channels not in (3, 4):
        raise ValueError(f"Unsupported channel number: {channels}")
    return module.fromarray(array.astype("uint8"))


def save_img(path: Any, x: Any, data_format: str | None = None, file_format: str | None = None,
             scale: bool = True, **kwargs: Any) -> None:  # fmt: skip
    """Write an array as an image.

    Args:
        path: name of a file, or an open file.
        x: array or tensor with three axes.
        data_format: channels_last or channels_first; by default that of the configuration.
        file_format: kind of file; by default the name's ending says it.
        scale: whether the values are brought to the range from 0 to 255.
        kwargs: arguments of Pillow's ``save``.
    Returns:
        None.
    """
    image = array_to_img(x, data_format, scale)
    kind = (file_format or os.path.splitext(os.fspath(path))[1].lstrip(".")).lower()
    if image.mode == "RGBA" and kind in ("jpg", "jpeg"):
        image = image.convert("RGB")
    image.save(path, format={"jpg": "jpeg"}.get(kind, kind) or None, **kwargs)
