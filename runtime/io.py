"""``runtime.io``: the public names of files and their formats, as in TensorFlow."""

# ruff: noqa: F403 - what a star brings is what the module's __all__ says

from typing import TYPE_CHECKING as _TYPE_CHECKING

from runtime.ops.resource.files import matching_files as matching_files
from runtime.ops.resource.files import read_file as read_file
from runtime.ops.resource.files import write_file as write_file
from runtime.types.annexes import explained as _explained
from runtime.types.annexes import optional_annex as _optional_annex

with _optional_annex():
    from runtime.composite.images.files import *
    from runtime.data import file_system as gfile  # noqa: F401 - a public module
    from runtime.data.formats.csv import decode_csv as decode_csv
    from runtime.data.formats.features import *
    from runtime.data.formats.parse_example import *
    from runtime.data.formats.tensor_bytes import *
    from runtime.data.formats.tfrecord import TFRecordOptions as TFRecordOptions
    from runtime.data.formats.tfrecord import TFRecordWriter as TFRecordWriter

__all__ = [
    name for name in list(globals()) if not name.startswith("_")
]


if not _TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
