"""Types of the names of ``runtime.io``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from runtime.composite.images.files import encode_png as encode_png
from runtime.data import file_system as gfile
from runtime.data.formats.csv import decode_csv as decode_csv
from runtime.data.formats.features import FixedLenFeature as FixedLenFeature
from runtime.data.formats.features import FixedLenSequenceFeature as FixedLenSequenceFeature
from runtime.data.formats.features import RaggedFeature as RaggedFeature
from runtime.data.formats.features import SparseFeature as SparseFeature
from runtime.data.formats.features import VarLenFeature as VarLenFeature
from runtime.data.formats.parse_example import parse_example as parse_example
from runtime.data.formats.parse_example import parse_sequence_example as parse_sequence_example
from runtime.data.formats.parse_example import parse_single_example as parse_single_example
from runtime.data.formats.parse_example import parse_single_sequence_example as parse_single_sequence_example
from runtime.data.formats.tensor_bytes import decode_base64 as decode_base64
from runtime.data.formats.tensor_bytes import decode_compressed as decode_compressed
from runtime.data.formats.tensor_bytes import encode_base64 as encode_base64
from runtime.data.formats.tfrecord import TFRecordOptions as TFRecordOptions
from runtime.data.formats.tfrecord import TFRecordWriter as TFRecordWriter
from runtime.eager.tensor import Tensor
from runtime.types.aliases import DTypeLike
from runtime.types.aliases import TensorLike
from typing import Any

def decode_bmp(contents: TensorLike, channels: int = 0, name: str | None = None) -> Tensor: ...
def decode_gif(contents: TensorLike, name: str | None = None) -> Tensor: ...
def decode_image(contents: TensorLike, channels: int | None = None, dtype: DTypeLike = ..., name: str | None = None, expand_animations: bool = True) -> Tensor: ...
def decode_jpeg(contents: TensorLike, channels: int = 0, ratio: int = 1, fancy_upscaling: bool = True, try_recover_truncated: bool = False, acceptable_fraction: float = 1, dct_method: str = '', name: str | None = None) -> Tensor: ...
def decode_png(contents: TensorLike, channels: int = 0, dtype: DTypeLike = ..., name: str | None = None) -> Tensor: ...
def decode_raw(input_bytes: TensorLike, out_type: DTypeLike, little_endian: bool = True, fixed_length: int | None = None, name: str | None = None) -> Tensor: ...
def encode_jpeg(image: TensorLike, format: str = '', quality: int = 95, progressive: bool = False, optimize_size: bool = False, chroma_downsampling: bool = True, density_unit: str = 'in', x_density: int = 300, y_density: int = 300, xmp_metadata: str = '', name: str | None = None) -> Tensor: ...
def extract_jpeg_shape(contents: TensorLike, output_type: DTypeLike = 'int32', name: str | None = None) -> Tensor: ...
def is_jpeg(contents: TensorLike, name: str | None = None) -> Tensor: ...
def matching_files(pattern: TensorLike, name: str | None = None) -> Tensor:
    """Find the files whose names match a pattern, or one of several.

    Args:
        pattern: tensor of dtype string: names with ``*``, ``?`` and ``[...]``.
    Returns:
        Vector of dtype string: the names in ascending order, computed when the op runs.
    Raises:
        InvalidArgumentError: ``pattern`` has another dtype (also a TypeError).
    """
def parse_tensor(serialized: TensorLike, out_type: DTypeLike, name: str | None = None) -> Tensor: ...
def read_file(filename: TensorLike, name: str | None = None) -> Tensor:
    """Read a whole file.

    Args:
        filename: scalar of dtype string.
    Returns:
        Scalar of dtype string: the bytes of the file.
    Raises:
        NotFoundError: there is no such file.
        InvalidArgumentError: ``filename`` is no scalar of dtype string.
    """
def serialize_tensor(tensor: TensorLike, name: str | None = None) -> Tensor: ...
def write_file(filename: TensorLike, contents: TensorLike, name: str | None = None) -> Any:
    """Write a string to a file, in place of what it held; make folders on the way.

    Readers, other writers, and a process that dies meanwhile find or leave whole old or new contents.

    Args:
        filename: scalar of dtype string.
        contents: scalar of dtype string.
    Returns:
        None; in a graph the operation that writes.
    Raises:
        InvalidArgumentError: an input is no scalar of dtype string.
    """
