"""``runtime.io``: the public names of files and their formats, as in TensorFlow."""

from runtime.ops.files import decode_csv as decode_csv
from runtime.ops.files import matching_files as matching_files
from runtime.ops.files import read_file as read_file
from runtime.ops.files import write_file as write_file
from runtime.records import TFRecordOptions as TFRecordOptions
from runtime.records import TFRecordWriter as TFRecordWriter

__all__ = [
    "TFRecordOptions", "TFRecordWriter", "decode_csv", "matching_files", "read_file",
    "write_file",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
