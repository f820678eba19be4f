"""``runtime.io``: the public names of files and their formats, as in TensorFlow."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from runtime.ops.resource.files import matching_files as matching_files
from runtime.ops.resource.files import read_file as read_file
from runtime.ops.resource.files import write_file as write_file
from runtime.types.annexes import explained as _explained
from runtime.types.annexes import optional_annex as _optional_annex

with _optional_annex():
    from runtime.data.formats.csv import decode_csv as decode_csv
    from runtime.data.formats.tfrecord import TFRecordOptions as TFRecordOptions
    from runtime.data.formats.tfrecord import TFRecordWriter as TFRecordWriter

__all__ = [
    "TFRecordOptions", "TFRecordWriter", "decode_csv", "matching_files", "read_file",
    "write_file",
]  # fmt: skip


if not _TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
