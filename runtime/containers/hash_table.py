"""Hash tables: ``lookup.StaticHashTable``, mutable ones, vocabularies, and their initialisers.

A table made in a graph is initialised in each session (``tables_initializer``); eagerly, and in a
function, it has its entries from the start.
"""

from __future__ import annotations

from typing import Any

from runtime.composite.ragged_ops import RaggedTensor
from runtime.containers import hash_table_ops
from runtime.containers.hash_table_ops import TableStorage
from runtime.containers.string_hash_ops import to_hash_bucket_fast
from runtime.graph.collections import GraphKeys
from runtime.graph.trace import current_graph, grouped
from runtime.ops import dispatch
from runtime.ops.array.constants import cast_op, constant, convert_to_tensor
from runtime.ops.array.where import where
from runtime.ops.string.strings import as_string
from runtime.types.aliases import DTypeLike, TensorLike
from runtime.types.dtypes import DType, as_dtype, int64, string
from runtime.types.errors import InvalidArgumentError, NotFoundError
from runtime.types.shapes import TensorShape
from runtime.types.value import Value

__all__ = ["initialize_all_tables", "tables_initializer"]


class KeyValueTensorInitializer:
    """Initialiser of a table from a vector of keys and a vector of values."""

    def __init__(self, keys: TensorLike, values: TensorLike, key_dtype: DTypeLike | None = None,
                 value_dtype: DTypeLike | None = None,
                 name: str | None = None) -> None:  # fmt: skip
        with dispatch.init_scope():
            self._keys = convert_to_tensor(keys, key_dtype)
            self._values = convert_to_tensor(values, value_dtype)
        if not self._keys.shape.is_compatible_with(self._values.shape):
            raise ValueError(
                f"keys and values must have one shape, got {self._keys.shape} and "
                f"{self._values.shape}"
            )

    @property
    def key_dtype(self) -> DType:
        """Dtype of the keys."""
        return self._keys.dtype

    @property
    def value_dtype(self) -> DType:
        """Dtype of the values."""
        return self._values.dtype

    def pairs(self) -> tuple[Any, Any]:
        """Return the keys and the values."""
        return self._keys, self._values


class TextFileIndex:
    """Numbers that stand for the whole line and for the line number in place of a column."""

    WHOLE_LINE = -2
    LINE_NUMBER = -1


class TextFileInitializer(KeyValueTensorInitializer):
    """Initialiser of a table from the lines of a text file, by a column of keys and one of values.

    NotFoundError when there is no such file, InvalidArgumentError for a line without the column and
    for fewer lines than ``vocab_size``; ValueError for dtypes that do not fit the columns.
    """

    def __init__(self, filename: Any, key_dtype: DTypeLike, key_index: int, value_dtype: DTypeLike,
                 value_index: int, vocab_size: int | None = None, delimiter: str = "\t",
                 name: str | None = None, value_index_offset: int = 0) -> None:  # fmt: skip
        _check_column("Keys", key_dtype, key_index)
        _check_column("Values", value_dtype, value_index)
        if vocab_size is not None and vocab_size <= 0:
            raise ValueError(f"`vocab_size` must be greater than 0, got {vocab_size}.")
        lines = _lines(filename)
        if vocab_size is not None and vocab_size > len(lines):
            raise InvalidArgumentError(
                f"Invalid vocab_size in {filename}: expected {vocab_size} but got {len(lines)}"
            )
        lines, cut = lines[:vocab_size], delimiter.encode()
        keys = [_column(line, k, key_index, cut) for k, line in enumerate(lines)]
        values = [_column(line, k, value_index, cut) for k, line in enumerate(lines)]
        if value_index == TextFileIndex.LINE_NUMBER:
            values = [value + value_index_offset for value in values]
        super().__init__(_typed(keys, key_dtype), _typed(values, value_dtype))


def _check_column(what: str, dtype: Any, index: int) -> None:
    kind = as_dtype(dtype)
    if index < TextFileIndex.WHOLE_LINE:
        raise ValueError(f"Invalid index of {what.lower()}: {index}.")
    expected = {TextFileIndex.WHOLE_LINE: string, TextFileIndex.LINE_NUMBER: int64}.get(index)
    fits = kind is expected or expected is int64 and kind.is_integer
    if expected is not None and not fits:
        raise ValueError(
            f"Signature mismatch. {what} must be dtype {expected.name}, got {kind.name}."
        )


def _lines(filename: Any) -> list[bytes]:
    """Return the lines of a file; only line feeds end a line."""
    path = getattr(filename, "numpy", lambda: filename)()
    if not path:
        raise ValueError("`filename` argument required for tf.lookup.TextFileInitializer")
    try:
        with open(path, "rb") as file:
            lines = file.read().replace(b"\r", b"").split(b"\n")
    except FileNotFoundError:
        raise NotFoundError(f"{path}; No such file or directory") from None
    return lines if lines[-1] else lines[:-1]


def _column(line: bytes, number: int, index: int, delimiter: bytes) -> Any:
    if index == TextFileIndex.LINE_NUMBER:
        return number
    if index == TextFileIndex.WHOLE_LINE:
        return line
    columns = line.split(delimiter)
    if index >= len(columns):
        raise InvalidArgumentError(
            f"Invalid number of columns in line {number}: {line!r} has no column {index}"
        )
    return columns[index]


def _typed(values: list[Any], dtype: Any) -> Any:
    """Convert a column to a tensor; raise InvalidArgumentError for a text that is no number."""
    kind = as_dtype(dtype)
    if kind is string:
        return constant([v if isinstance(v, bytes) else str(v) for v in values], string)
    try:
        return constant([(int if kind.is_integer else float)(value) for value in values], kind)
    except ValueError as error:
        raise InvalidArgumentError(f"a column of the file is not {kind.name}: {error}") from None


class _HashTable:
    """Base of tables."""

    _table: TableStorage
    _default: Any

    @property
    def name(self) -> str:
        """Name of the table."""
        return self._table.name

    @property
    def key_dtype(self) -> DType:
        """Dtype of the keys."""
        return self._table.key_dtype

    @property
    def value_dtype(self) -> DType:
        """Dtype of the values."""
        return self._table.value_dtype

    def _make(
        self, name: str, key_dtype: Any, value_dtype: Any, default: Any, static: bool
    ) -> None:
        graph = current_graph()
        full = name if graph is None else graph.unique_name(name)
        self._default = default
        self._table = TableStorage(
            full, as_dtype(key_dtype), as_dtype(value_dtype), TensorShape(default.shape), static,
            graph is not None, "" if graph is None else graph.device_of_new(full, "HashTableV2"),
        )  # fmt: skip

    def _keys(self, keys: Any) -> Any:
        if isinstance(keys, Value):
            return keys
        return convert_to_tensor(keys, self.key_dtype)

    def _found(self, keys: Any, default: Any, name: str | None) -> Any:
        if isinstance(keys, RaggedTensor):
            return keys.with_flat_values(self._found(keys.flat_values, default, name))
        return hash_table_ops.find_op(self._keys(keys), default, table=self._table, name=name)

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """Look up the values of ``keys``; absent keys have the default value."""
        return self._found(keys, self._default, name)

    def __getitem__(self, keys: Any) -> Any:
        return self.lookup(keys)

    def size(self, name: str | None = None) -> Any:
        """Return the number of entries, int64."""
        return hash_table_ops.size_op(table=self._table, name=name)

    def export(self, name: str | None = None) -> Any:
        """Return all keys and all values."""
        return hash_table_ops.export_op(table=self._table, name=name)

    def __repr__(self) -> str:
        kinds = f"{self.key_dtype.name} to {self.value_dtype.name}"
        return f"<{type(self).__name__} {self.name!r} of {kinds}>"


class StaticHashTable(_HashTable):
    """Table whose entries never change.

    ``default_value`` is what a key gives that is not there.  FailedPreconditionError for two values
    of one key, and, in a session, as long as ``tables_initializer`` was not run.
    """

    def __init__(self, initializer: Any, default_value: TensorLike, name: str | None = None,
                 experimental_is_anonymous: bool = False) -> None:  # fmt: skip
        with dispatch.init_scope():
            default = convert_to_tensor(default_value, initializer.value_dtype)
            if default.shape.rank != 0:
                raise ValueError(f"default_value must be a scalar, got shape {default.shape}")
            self._make(
                name or "hash_table", initializer.key_dtype, initializer.value_dtype, default, True
            )
            keys, values = initializer.pairs()
            self._initializer = hash_table_ops.import_op(keys, values, table=self._table)
            graph = current_graph()
            if graph is not None:
                graph.add_to_collection(GraphKeys.TABLE_INITIALIZERS, self._initializer)

    @property
    def default_value(self) -> Any:
        """Value of absent keys."""
        return self._default

    @property
    def initializer(self) -> Any:
        """Operation that fills the table; None if it was created eagerly."""
        return self._initializer


class MutableHashTable(_HashTable):
    """Table whose entries change while the program runs.

    ``default_value`` says the shape of the values, too.
    """

    def __init__(self, key_dtype: DTypeLike, value_dtype: DTypeLike, default_value: TensorLike,
                 name: str = "MutableHashTable", checkpoint: bool = True,
                 experimental_is_anonymous: bool = False) -> None:  # fmt: skip
        with dispatch.init_scope():
            default = convert_to_tensor(default_value, as_dtype(value_dtype))
            self._make(name, key_dtype, value_dtype, default, False)

    def lookup(self, keys: TensorLike, dynamic_default_values: Any = None,  # type: ignore[override]
               name: str | None = None) -> Any:  # fmt: skip
        """Look up the values of ``keys``; absent keys have the default, or that passed for them."""
        default = self._default
        if dynamic_default_values is not None:
            default = convert_to_tensor(dynamic_default_values, self.value_dtype)
        return self._found(keys, default, name)

    def insert(self, keys: Any, values: Any, name: str | None = None) -> Any:
        """Add entries or replace their values; return the operation in a graph."""
        entries = convert_to_tensor(values, self.value_dtype)
        return hash_table_ops.insert_op(self._keys(keys), entries, table=self._table, name=name)

    def remove(self, keys: Any, name: str | None = None) -> Any:
        """Remove entries; absent keys are ignored."""
        return hash_table_ops.remove_op(self._keys(keys), table=self._table, name=name)


class StaticVocabularyTable:
    """Table from strings to numbers; strings that are absent are hashed to buckets behind it.

    ``num_oov_buckets`` is how many buckets there are, at least 1.
    """

    def __init__(self, initializer: Any, num_oov_buckets: int,
                 lookup_key_dtype: DTypeLike | None = None, name: str | None = None,
                 experimental_is_anonymous: bool = False) -> None:  # fmt: skip
        if num_oov_buckets <= 0:
            raise ValueError("`num_oov_buckets` must be > 0; use StaticHashTable instead.")
        if initializer is not None and initializer.value_dtype is not int64:
            raise TypeError(
                f"Invalid `value_dtype`, expected {int64!r} but got {initializer.value_dtype!r}."
            )
        self._table = None if initializer is None else StaticHashTable(initializer, -1, name)
        self._buckets = int(num_oov_buckets)

    @property
    def name(self) -> str:
        """Name of the table."""
        return "oov" if self._table is None else self._table.name

    def size(self, name: str | None = None) -> Any:
        """Return the number of entries and buckets."""
        vocabulary_size = constant(0, int64) if self._table is None else self._table.size()
        return vocabulary_size + self._buckets

    def lookup(self, keys: TensorLike, name: str | None = None) -> Any:
        """Return the number of each key: that of its entry, or of its bucket."""
        if isinstance(keys, RaggedTensor):
            return keys.with_flat_values(self.lookup(keys.flat_values))
        texts = convert_to_tensor(keys)
        words = texts if texts.dtype is string else as_string(texts)
        first = 0 if self._table is None else self._table.size()
        buckets = to_hash_bucket_fast(words, self._buckets) + first
        if self._table is None:
            return buckets
        if texts.dtype is not self._table.key_dtype:
            texts = cast_op(texts, dtype=self._table.key_dtype)
        ids = self._table.lookup(texts)
        return where(ids == -1, buckets, ids)

    def __getitem__(self, keys: Any) -> Any:
        return self.lookup(keys)


def tables_initializer(name: str = "init_all_tables") -> Any:
    """Record an operation that fills all static tables of the current graph.

    Returns:
        Operation; None under eager execution.
    """
    graph = current_graph()
    if graph is None:
        return None
    return grouped(graph.get_collection(GraphKeys.TABLE_INITIALIZERS), name)


initialize_all_tables = tables_initializer
