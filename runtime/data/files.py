"""Datasets in files: lines of texts, records of one size, and what ``save`` has written."""

from __future__ import annotations

import functools
import gzip
import io
import os
import pickle
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from runtime.data.base import Base
from runtime.data.creation import Creation
from runtime.data.elements import Layout
from runtime.data.numbers import whole
from runtime.data.sources import flat_mapped
from runtime.dtypes import string
from runtime.errors import DataLossError, InvalidArgumentError, NotFoundError
from runtime.ops.constants import convert_to_tensor
from runtime.ops.datasets import Row, Source
from runtime.ops.shape import reshape
from runtime.types import TensorSpec
from runtime.values import boxed

_TEXT = Layout(TensorSpec((), string))
_SAVED = "dataset.saved"


def _opened(name: Any, compression: str) -> Any:
    path = name[()].decode()
    try:
        if compression == "GZIP":
            return gzip.open(path, "rb")
        file = open(path, "rb")  # noqa: SIM115 - the iteration over its lines closes it
    except FileNotFoundError:
        raise NotFoundError(f"{path}; No such file or directory") from None
    return io.BytesIO(zlib.decompress(file.read())) if compression == "ZLIB" else file


def _line(text: bytes) -> Row:
    return (boxed(text.removesuffix(b"\n").removesuffix(b"\r")),)


def _lines(source: Source, *, compression: str) -> Source:
    """The lines of files, whose names are the rows."""
    return _of_files(source, lambda name: map(_line, _opened(name, compression)))


def _of_files(source: Source, rows: Callable[[Any], Iterator[Row]]) -> Source:
    return flat_mapped(source, lambda name: (Source(lambda: rows(name)),))


def _records(
    source: Source, size: Any, header: Any, footer: Any, *, compression: str
) -> Source:
    """Records of one size, between a header and a footer."""
    if size < 1:
        raise InvalidArgumentError(f"record_bytes must be positive, got {size}")

    def rows(name: Any) -> Iterator[Row]:
        with _opened(name, compression) as file:
            data = file.read()
        body = data[int(header) : len(data) - int(footer)]
        if len(body) % size:
            raise InvalidArgumentError(
                f"Excess {len(body) % size} bytes in {name[()].decode()}: records have {size} "
                "bytes"
            )
        return ((boxed(body[k : k + size]),) for k in range(0, len(body), int(size)))

    return _of_files(source, rows)


def _names(filenames: Any) -> Any:
    """A dataset of the names of files."""
    if isinstance(filenames, Base):
        return filenames
    return Creation.from_tensor_slices(reshape(convert_to_tensor(filenames, string), [-1]))


def _compression(kind: str | None) -> str:
    if kind not in (None, "", "GZIP", "ZLIB"):
        raise InvalidArgumentError(f"Unsupported compression_type: {kind!r}: '', GZIP or ZLIB")
    return kind or ""


def TextLineDataset(
    filenames: Any, compression_type: str | None = None, buffer_size: Any = None,
    num_parallel_reads: Any = None, name: str | None = None,
) -> Any:
    """The lines of one or more text files as string tensors, without their ends.

    ``filenames`` are texts or a dataset of them; ``compression_type`` is '', 'GZIP' or 'ZLIB'.
    NotFoundError, when it runs, for a file that is not there.
    """
    build = functools.partial(_lines, compression=_compression(compression_type))
    return _names(filenames)._then("TextLine", build, _TEXT, name=name)


def FixedLengthRecordDataset(
    filenames: Any, record_bytes: Any, header_bytes: Any = None, footer_bytes: Any = None,
    buffer_size: Any = None, compression_type: str | None = None, num_parallel_reads: Any = None,
    name: str | None = None,
) -> Any:
    """The records of ``record_bytes`` bytes each that files consist of, as string tensors.

    InvalidArgumentError, when it runs, for a file that does not consist of such records.
    """
    sizes = [
        whole(record_bytes, "record_bytes"),
        whole(0 if header_bytes is None else header_bytes, "header_bytes"),
        whole(0 if footer_bytes is None else footer_bytes, "footer_bytes"),
    ]
    build = functools.partial(_records, compression=_compression(compression_type))
    return _names(filenames)._then("FixedLengthRecord", build, _TEXT, sizes, name=name)


class Saving(Base):
    """Methods that write a dataset to a folder, and read it."""

    def save(
        self, path: str, compression: str | None = None, shard_func: Any = None,
        checkpoint_args: Any = None,
    ) -> None:
        """Write all elements to a folder, for ``load``.

        RuntimeError while a function is traced.
        """
        self._layout.require_arrays("Dataset.save()")
        if not self._is_concrete:
            raise RuntimeError("Dataset.save() is not supported while tracing functions")
        os.makedirs(path, exist_ok=True)
        opener: Any = gzip.open if _compression(compression) == "GZIP" else open
        with opener(os.path.join(path, _SAVED), "wb") as file:
            pickle.dump((self._layout.spec, list(self._source.open())), file)

    @classmethod
    def load(
        cls, path: str, element_spec: Any = None, compression: str | None = None,
        reader_func: Any = None, wait: bool = False,
    ) -> Any:
        """The elements that ``save`` has written to a folder.

        NotFoundError when there are none, DataLossError for a damaged file, TypeError when they
        are not of the type ``element_spec``.
        """
        file = os.path.join(path, _SAVED)
        opener: Any = gzip.open if _compression(compression) == "GZIP" else open
        try:
            with opener(file, "rb") as opened:
                spec, rows = pickle.load(opened)
        except FileNotFoundError:
            raise NotFoundError(f"{path} holds no saved dataset") from None
        except (pickle.UnpicklingError, EOFError, gzip.BadGzipFile) as error:
            raise DataLossError(f"Dataset.load: {file} is damaged ({error})") from None
        layout = Layout(spec)
        if element_spec is not None and not Layout(element_spec).accepts(layout):
            raise TypeError(f"{path} holds elements of {spec}, not of {element_spec}")
        return cls._of("Load", functools.partial(_loaded, rows=rows), layout)

    def snapshot(
        self, path: str, compression: str = "AUTO", reader_func: Any = None,
        shard_func: Any = None, name: str | None = None,
    ) -> Any:
        """The elements, written to a folder by the first complete iteration and read by others."""
        return self.cache(os.path.join(path, "snapshot"), name)  # type: ignore[attr-defined]


def _loaded(*, rows: list[Row]) -> Source:
    return Source(lambda: iter(rows), len(rows))

