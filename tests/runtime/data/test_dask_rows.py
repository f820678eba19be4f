"""``Dataset.from_dask``: rows of arrays and frames of Dask."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from tests.support.extras import needs

pytestmark = needs("dask")

ROWS = np.arange(24.0).reshape(8, 3)


@pytest.fixture
def arrays():
    """Rows in blocks that do not fit each other."""
    import dask.array as da

    return da.from_array(ROWS, chunks=(3, 2)), da.from_array(np.arange(8), chunks=5)


def test_arrays(arrays):
    dataset = tf.data.Dataset.from_dask(arrays)
    assert int(dataset.cardinality()) == 8
    assert dataset.element_spec == (tf.TensorSpec([3], tf.float64), tf.TensorSpec([], tf.int64))
    for n, (row, number) in enumerate(dataset):
        assert row.numpy().tolist() == ROWS[n].tolist() and number.numpy() == n

    @tf.function
    def total(rows):
        result = tf.constant(0.0, tf.float64)
        for row, _ in rows:
            result += tf.reduce_sum(row)
        return result

    assert total(dataset).numpy() == ROWS.sum()
    pairs = tf.data.Dataset.from_dask({"x": arrays[0]}).shard(2, 1).batch(2)
    assert [b["x"].numpy().tolist() for b in pairs] == [ROWS[1:4:2].tolist(), ROWS[5::2].tolist()]


def test_a_block_is_computed_when_its_rows_are_asked_for(arrays):
    import dask.array as da

    blocks = []

    def noted(block):
        if block.size:  # Dask calls it with an empty one for the dtype
            blocks.append(int(block[0]))
        return block

    source = da.map_blocks(noted, da.arange(100, chunks=10))
    iterator = iter(tf.data.Dataset.from_dask(source))
    assert next(iterator).numpy() == 0 and 90 not in blocks


def test_sizes_that_dask_does_not_know(arrays):
    rows = arrays[0][arrays[0].sum(axis=1) > 20]
    dataset = tf.data.Dataset.from_dask((rows, rows * 2))
    assert int(dataset.cardinality()) == tf.data.UNKNOWN_CARDINALITY
    assert [x.numpy().tolist() for x, _ in dataset] == ROWS[2:].tolist()
    with pytest.raises(ValueError, match="sizes Dask does not know have other blocks of rows"):
        tf.data.Dataset.from_dask((rows, arrays[1]))


def test_frames():
    pandas = pytest.importorskip("pandas")
    frames = pytest.importorskip("dask.dataframe")
    table = pandas.DataFrame({"a": [1, 2, 3], "b": [0.5, 1.5, 2.5], "c": ["x", "yy", "z"]})
    frame = frames.from_pandas(table, npartitions=2)
    dataset = tf.data.Dataset.from_dask((frame[["b", "c"]], frame.a))
    assert list(dataset.as_numpy_iterator()) == [
        ({"b": 0.5, "c": b"x"}, 1), ({"b": 1.5, "c": b"yy"}, 2), ({"b": 2.5, "c": b"z"}, 3),
    ]  # fmt: skip


def test_refusals(arrays):
    with pytest.raises(TypeError, match="NumPy's arrays go to from_tensor_slices"):
        tf.data.Dataset.from_dask(ROWS)
    with pytest.raises(ValueError, match="has no axis of rows"):
        tf.data.Dataset.from_dask(arrays[0].sum())
    with pytest.raises(ValueError, match=r"the arrays have \[5, 8\] rows: all must have as many"):
        tf.data.Dataset.from_dask((arrays[0], arrays[1][:5]))


def test_interleaved_files_of_a_worker(tmp_path):
    """Workers divide files by their number, and mix the lines of their own."""
    for n in range(4):
        (tmp_path / f"{n}.txt").write_text("".join(f"{n}{line}\n" for line in "abc"))
    rows = [
        [line.decode() for line in tf.data.Dataset.list_files(str(tmp_path / "*"), shuffle=False)
         .shard(2, worker).interleave(tf.data.TextLineDataset, cycle_length=2)
         .as_numpy_iterator()]
        for worker in range(2)
    ]  # fmt: skip
    assert rows == [["0a", "2a", "0b", "2b", "0c", "2c"], ["1a", "3a", "1b", "3b", "1c", "3c"]]
