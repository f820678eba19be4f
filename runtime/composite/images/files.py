"""Images as files: PNG, JPEG, BMP and GIF decoded to tensors and encoded, by Pillow (an extra)."""

from __future__ import annotations

import io as bytes_io
from typing import Any

import numpy as np

from runtime.composite.images.batches import convert_image_dtype
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.array.shape import shape
from runtime.ops.op import RAISES, OpDef, define
from runtime.ops.rules.samples import case
from runtime.types.aliases import DTypeLike, TensorLike
from runtime.types.conversion import as_object_scalar
from runtime.types.dtypes import Array, DType, as_dtype, bool_, string, uint8, uint16
from runtime.types.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.types.extras import require
from runtime.types.shapes import TensorShape, TensorSpec

__all__ = [
    "decode_bmp", "decode_gif", "decode_image", "decode_jpeg", "decode_png", "encode_jpeg",
    "encode_png", "extract_jpeg_shape", "is_jpeg",
]  # fmt: skip

_MODES = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}
_SIGNATURES = {
    "PNG": b"\x89PNG\r\n\x1a\n", "JPEG": b"\xff\xd8\xff", "GIF": b"GIF8", "BMP": b"BM",
}  # fmt: skip


def pillow(for_: str) -> Any:
    """Return Pillow's module of images; ModuleNotFoundError that names the extra without it."""
    return require("PIL.Image", extra="images", for_=for_)


def _opened(data: bytes, formats: tuple[str, ...], caller: str, gray: bool) -> Any:
    module = pillow(caller)
    if not any(data.startswith(_SIGNATURES[name]) for name in formats):
        raise InvalidArgumentError(
            f"{caller}: Unknown image file format. One of {', '.join(formats)} required, got "
            f"{data[:8]!r}"
        )
    try:
        image = module.open(bytes_io.BytesIO(data))
        if gray:
            image.draft("L", image.size)  # of JPEG the part that is grey
        image.load()
    except (OSError, ValueError, SyntaxError) as error:
        raise InvalidArgumentError(f"{caller}: the image is damaged: {error}") from None
    return image


def pixels_of(image: Any, channels: int, dtype: DType = uint8) -> Array:
    """Return the pixels of an image of Pillow's, in its own number of channels where 0 is asked."""
    mode = image.mode
    if mode.startswith("I") and not channels:
        channels = 1
    if not channels:
        has_alpha = mode in ("LA", "RGBA", "PA") or "transparency" in image.info
        is_gray = mode in ("1", "L", "LA")
        channels = (2 if has_alpha else 1) if is_gray else 4 if has_alpha else 3
    if mode.startswith("I"):
        wide = np.asarray(image).astype(np.uint16)
        array = np.repeat(wide[..., None], channels, -1)
        if channels in (2, 4):
            array[..., -1] = 65535
        return array if dtype is uint16 else (array >> 8).astype(np.uint8)
    if channels == 1 and image.format == "PNG" and mode in ("RGB", "RGBA", "P"):
        return _gray(np.asarray(image.convert("RGB")))
    converted = image if mode == _MODES[channels] else image.convert(_MODES[channels])
    array = np.asarray(converted).reshape(converted.height, converted.width, channels)
    return array.astype(np.uint16) * 257 if dtype is uint16 else array.copy()


def _gray(colors: Array) -> Array:
    """Grey of colors as libpng computes it, in whole numbers, rounded down; Pillow rounds."""
    red, green = 29900 * 32768 // 100000, 58700 * 32768 // 100000
    weights = np.array([red, green, 32768 - red - green])
    return (colors.astype(np.int64) @ weights >> 15).astype(np.uint8)[..., None]


def _decode(
    contents: Array, *, channels: int, formats: tuple[str, ...], dtype: DType, frames: bool
) -> Array:
    data = bytes(contents[()])
    image = _opened(data, formats, "decode_image", channels == 1)
    if image.format != "GIF":
        return pixels_of(image, channels, dtype)
    count = getattr(image, "n_frames", 1)
    pictures = []
    for number in range(count if frames else 1):
        image.seek(number)
        pictures.append(pixels_of(image, 3))
    return np.stack(pictures) if frames else pictures[0]


def _decode_infer(
    contents: TensorSpec, *, channels: int, formats: tuple[str, ...], dtype: DType, frames: bool
) -> TensorSpec:
    if contents.shape.rank not in (None, 0):
        raise IncompatibleShapesError(f"decode_image: contents must be a scalar, got {contents}")
    if "GIF" in formats and frames:
        return TensorSpec([None, None, None, 3] if formats == ("GIF",) else None, dtype)
    return TensorSpec([None, None, channels or None], dtype)


decode_op = define(
    "decode_image",
    inputs="contents",
    dtype_kinds="O",
    kernel=_decode,
    infer=_decode_infer,
    grad=None,
    node_name="DecodeImage",
    traits=(RAISES,),
    extra="images",
    samples=lambda: [
        case(_bitmap(), channels=c, formats=("BMP",), dtype=uint8, frames=False) for c in (1, 3)
    ],
    doc="Decode an image.",
)


def _bitmap() -> bytes:
    """A BMP image of two pixels."""
    head = (b"BM" + (62).to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little")
            + (40).to_bytes(4, "little") + (2).to_bytes(4, "little") + (1).to_bytes(4, "little")
            + b"\x01\x00\x18\x00" + bytes(24))  # fmt: skip
    return head + bytes([1, 2, 3, 9, 8, 7, 0, 0])


def _decoded(
    contents: TensorLike, channels: int | None, formats: tuple[str, ...], dtype: DTypeLike,
    frames: bool, name: str | None, caller: str, allowed: tuple[int, ...],
) -> Any:
    count = 0 if channels is None else int(channels)
    if count not in allowed:
        raise ValueError(f"{caller}: channels must be one of {allowed}, got {channels}")
    kind = as_dtype(dtype)
    read_as = kind if kind in (uint8, uint16) else uint16 if formats == ("PNG",) else uint8
    if not (kind.is_floating or kind in (uint8, uint16)):
        raise ValueError(f"{caller}: dtype must be a float, uint8 or uint16, got {kind.name}")
    pixels = decode_op(
        convert_to_tensor(contents, string), channels=count, formats=formats,
        dtype=uint8 if read_as is uint16 and kind.is_floating else read_as, frames=frames,
        name=name,
    )  # fmt: skip
    return convert_image_dtype(pixels, kind) if kind.is_floating else pixels


def decode_png(contents: TensorLike, channels: int = 0, dtype: DTypeLike = uint8,
               name: str | None = None) -> Any:  # fmt: skip
    """Decode a PNG image.

    Args:
        contents: string tensor, a scalar: the bytes of the file.
        channels: 1 grey, 3 colors, 4 with transparency; 0: as in the file.
        dtype: uint8 or uint16.
    Returns:
        Tensor of shape (height, width, channels).
    Raises:
        InvalidArgumentError: the bytes are no such image.
        ValueError: there is no such number of channels, or the dtype is another one.
    """
    return _decoded(contents, channels, ("PNG", "JPEG", "GIF", "BMP"), dtype, False, name,
                    "io.decode_png", (0, 1, 3, 4))  # fmt: skip


def decode_jpeg(contents: TensorLike, channels: int = 0, ratio: int = 1,
                fancy_upscaling: bool = True, try_recover_truncated: bool = False,
                acceptable_fraction: float = 1, dct_method: str = "",
                name: str | None = None) -> Any:  # fmt: skip
    """Decode a JPEG image; values may differ from TensorFlow's by rounding of the transform.

    Args:
        contents: string tensor, a scalar: the bytes of the file.
        channels: 1 grey, 3 colors; 0: as in the file.
        ratio: 1; images are not made smaller here.
        fancy_upscaling: not used.
        try_recover_truncated: False; damaged images are refused.
        acceptable_fraction: not used.
        dct_method: not used.
    Returns:
        Tensor of uint8 and of shape (height, width, channels).
    Raises:
        InvalidArgumentError: the bytes are no such image.
        ValueError: an argument is another one.
    """
    if ratio != 1 or try_recover_truncated:
        raise ValueError("io.decode_jpeg takes ratio=1 and try_recover_truncated=False")
    return _decoded(contents, channels, ("JPEG", "PNG", "GIF", "BMP"), uint8, False, name,
                    "io.decode_jpeg", (0, 1, 3))  # fmt: skip


def decode_bmp(contents: TensorLike, channels: int = 0, name: str | None = None) -> Any:
    """Decode a BMP image.

    Args:
        contents: string tensor, a scalar: the bytes of the file.
        channels: 1 grey, 3 colors, 4 with transparency; 0: as in the file.
    Returns:
        Tensor of uint8 and of shape (height, width, channels).
    Raises:
        InvalidArgumentError: the bytes are no such image.
        ValueError: there is no such number of channels.
    """
    return _decoded(contents, channels, ("BMP",), uint8, False, name, "io.decode_bmp",
                    (0, 1, 3, 4))  # fmt: skip


def decode_gif(contents: TensorLike, name: str | None = None) -> Any:
    """Decode the pictures of a GIF image.

    Args:
        contents: string tensor, a scalar: the bytes of the file.
    Returns:
        Tensor of uint8 and of shape (pictures, height, width, 3).
    Raises:
        InvalidArgumentError: the bytes are no such image.
    """
    return _decoded(contents, 3, ("GIF",), uint8, True, name, "io.decode_gif", (3,))


def decode_image(contents: TensorLike, channels: int | None = None, dtype: DTypeLike = uint8,
                 name: str | None = None, expand_animations: bool = True) -> Any:  # fmt: skip
    """Decode an image of any kind: PNG, JPEG, GIF or BMP.

    Args:
        contents: string tensor, a scalar: the bytes of the file.
        channels: 1, 3 or 4; None or 0: as in the file.
        dtype: uint8, uint16 or a float; floats are from 0 to 1.
        expand_animations: whether a GIF gives all its pictures, along a first axis.
    Returns:
        Tensor of shape (height, width, channels); of a GIF (pictures, height, width, 3).
    Raises:
        InvalidArgumentError: the bytes are no image.
        ValueError: there is no such number of channels, or the dtype is another one.
    """
    return _decoded(contents, channels, ("PNG", "JPEG", "GIF", "BMP"), dtype, expand_animations,
                    name, "io.decode_image", (0, 1, 3, 4))  # fmt: skip


# -- encoding -------------------------------------------------------------------------------------


def _encode(image: Array, *, kind: str, quality: int, compression: int) -> Array:
    encoded = np.empty(image.shape[:-3], object)
    for place in np.ndindex(encoded.shape):
        encoded[place] = encoded_image(image[place], kind, quality, compression)
    return encoded if encoded.ndim else as_object_scalar(encoded.item())


def encoded_image(pixels: Array, kind: str, quality: int = 95, compression: int = -1) -> bytes:
    """Return an array of shape (height, width, channels) as the bytes of a file."""
    channels = pixels.shape[-1]
    if pixels.dtype == np.uint16 and channels != 1:
        raise InvalidArgumentError("encode_png: images of uint16 have one channel here")
    module = pillow(f"encode_{kind.lower()}")
    array = pixels[..., 0] if channels == 1 else pixels
    image = module.fromarray(array)
    file = bytes_io.BytesIO()
    if kind == "PNG":
        level = {} if compression < 0 else {"compress_level": compression}
        image.save(file, "PNG", **level)
    else:
        image.save(file, "JPEG", quality=quality)
    return file.getvalue()


def _encoder(kind: str, channels: tuple[int, ...]) -> OpDef:
    name = f"encode_{kind.lower()}"

    def infer(image: TensorSpec, **attrs: Any) -> TensorSpec:
        rank = image.shape.rank
        if rank is not None and (rank < 3 or (image.shape[-1] or channels[0]) not in channels):
            raise IncompatibleShapesError(
                f"{name}: image must have shape (..., height, width, channels) with "
                f"{' or '.join(map(str, channels))} channels, got {image.shape}"
            )
        return TensorSpec(None if rank is None else image.shape[:-3], string)

    def kernel(image: Array, **attrs: Any) -> Array:
        infer(TensorSpec(image.shape, image.dtype))
        return _encode(image, kind=kind, **attrs)

    return define(
        name, inputs="image", kernel=kernel, infer=infer, grad=None,
        node_name=f"Encode{kind.capitalize()}", traits=(RAISES,), extra="images",
        samples=lambda: [
            case(np.arange(12, dtype=np.uint8).reshape(2, 2, 3), quality=90, compression=-1)
        ],
        doc=f"Encode an image as {kind}.",
    )  # fmt: skip


_encode_png = _encoder("PNG", (1, 2, 3, 4))
_encode_jpeg = _encoder("JPEG", (1, 3))


def encode_png(image: TensorLike, compression: int = -1, name: str | None = None) -> Any:
    """Encode images as PNG.

    Args:
        image: tensor of uint8 or uint16 and of shape (..., height, width, channels), with 1 to 4
            channels.
        compression: from 0, none, to 9, the smallest; -1 is the default.
    Returns:
        String tensor of the files' bytes.
    Raises:
        InvalidArgumentError: the shape is another one (also a ValueError).
        TypeError: the dtype is another one.
    """
    pixels = convert_to_tensor(image)
    if pixels.dtype not in (uint8, uint16):
        raise TypeError(f"io.encode_png: images are uint8 or uint16, got {pixels.dtype.name}")
    return _encode_png(pixels, quality=95, compression=int(compression), name=name)


def encode_jpeg(image: TensorLike, format: str = "", quality: int = 95, progressive: bool = False,
                optimize_size: bool = False, chroma_downsampling: bool = True,
                density_unit: str = "in", x_density: int = 300, y_density: int = 300,
                xmp_metadata: str = "", name: str | None = None) -> Any:  # fmt: skip
    """Encode an image as JPEG.

    Args:
        image: tensor of uint8 and of shape (height, width, channels), with 1 or 3 channels.
        format: '', 'grayscale' or 'rgb', which must fit the channels.
        quality: from 0 to 100, the best.
        progressive: not used.
        optimize_size: not used.
        chroma_downsampling: not used.
        density_unit: not used.
        x_density: not used.
        y_density: not used.
        xmp_metadata: not used.
    Returns:
        Scalar of dtype string: the file's bytes.
    Raises:
        InvalidArgumentError: the shape is another one (also a ValueError).
        TypeError: the dtype is another one.
        ValueError: ``format`` or ``quality`` is another one.
    """
    pixels = convert_to_tensor(image)
    if pixels.dtype is not uint8:
        raise TypeError(f"io.encode_jpeg: images are uint8, got {pixels.dtype.name}")
    if format not in ("", "grayscale", "rgb") or not 0 <= quality <= 100:
        raise ValueError(f"io.encode_jpeg: format {format!r} or quality {quality} is not there")
    return _encode_jpeg(pixels, quality=int(quality), compression=-1, name=name)


# -- questions ------------------------------------------------------------------------------------


is_jpeg_op = define(
    "is_jpeg",
    inputs="contents",
    dtype_kinds="O",
    kernel=lambda x: np.array(bytes(x[()]).startswith(_SIGNATURES["JPEG"])),
    infer=lambda x: TensorSpec(TensorShape([]), bool_),
    grad=None,
    node_name="IsJpeg",
    samples=lambda: [case("abc"), case(b"\xff\xd8\xff\xe0")],
    doc="Whether a string begins as a JPEG image.",
)


def is_jpeg(contents: TensorLike, name: str | None = None) -> Any:
    """Find out whether a string begins as a JPEG image.

    Args:
        contents: string tensor, a scalar.
    Returns:
        Scalar of dtype bool.
    """
    return is_jpeg_op(contents, name=name)


def extract_jpeg_shape(contents: TensorLike, output_type: DTypeLike = "int32",
                       name: str | None = None) -> Any:  # fmt: skip
    """Find the shape of a JPEG image.

    Args:
        contents: string tensor, a scalar: the bytes of the file.
        output_type: dtype of the result.
    Returns:
        Vector of height, width and channels.
    Raises:
        InvalidArgumentError: the bytes are no such image.
    """
    return shape(decode_jpeg(contents), as_dtype(output_type))
