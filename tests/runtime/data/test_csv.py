"""Comma-separated values in files: what comes out, and what is refused, compared with csv's."""

import csv
import gzip

import pytest

import runtime as tf
from tests.support.ways import elements, in_function, in_session

CsvDataset = tf.data.experimental.CsvDataset
make_csv_dataset = tf.data.experimental.make_csv_dataset
ROWS = [("a", "b,c", 'say "x"', ""), ("1", "two\nlines", "3", "4"), ("", "", "", "z")]


@pytest.fixture
def table(tmp_path):
    with open(tmp_path / "table.csv", "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(ROWS)
    return tmp_path / "table.csv"


def written(folder, *lines):
    (folder / "f.csv").write_text("\n".join(lines))
    return str(folder / "f.csv")


def test_texts(table):
    expected = [tuple(field.encode() for field in row) for row in ROWS]

    def data():
        return CsvDataset(table, [""] * 4)

    assert elements(data()) == in_session(data) == in_function(data) == expected
    some = CsvDataset(table, ["", ""], select_cols=[1, 3])
    assert elements(some) == [(row[1], row[3]) for row in expected]
    assert elements(CsvDataset(table, [""] * 2, exclude_cols=[0, 2])) == elements(some)
    assert data().element_spec == (tf.TensorSpec([], tf.string),) * 4


def test_numbers_and_defaults(tmp_path):
    name = written(tmp_path, "n;x;t", "1;2.5;a", ";NA;b", "-3;4e10;")
    data = CsvDataset(
        name, [[7], tf.constant([0.5], tf.float64), tf.string], header=True, field_delim=";",
        na_value="NA",
    )  # fmt: skip
    iterator = iter(data)
    assert [tuple(part.numpy() for part in next(iterator)) for _ in range(2)] == [
        (1, 2.5, b"a"), (7, 0.5, b"b")]  # fmt: skip
    with pytest.raises(tf.errors.InvalidArgumentError, match="Field 2 is required but missing"):
        next(iterator)
    assert [part.dtype for part in data.element_spec] == [tf.int32, tf.float64, tf.string]


def test_compressed_files_one_after_the_other(tmp_path):
    for name in ("a", "b"):
        with gzip.open(tmp_path / name, "wb") as file:
            file.write(b"head\n%d\n" % ord(name))
    names = [tmp_path / "a", tmp_path / "b"]
    assert elements(CsvDataset(names, [0], "GZIP", header=True)) == [(97,), (98,)]


REFUSED = {
    "Expect 2 fields but have more in record 0": ["1,2,3"],
    "Expect 2 fields but have 1 in record 0": ["1"],
    "Field 0 in record 0 is not a valid int32: x": ["x,1"],
    "Field 0 in record 0 is not a valid int32: 3000000000": ["3000000000,1"],
    "Field 1 is required but missing in record 0": ["1,"],
    "Unquoted fields cannot have quotes inside": ['1"2,3'],
    "Quote inside a string has to be escaped by another quote": ['"1"2,3'],
    "Reached the end of the file within quotes": ['1,"2'],
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_record(tmp_path, text):
    data = CsvDataset(written(tmp_path, *REFUSED[text]), [[0], tf.int32])
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        elements(data)


def test_bad_records_can_be_left_out(tmp_path):
    name = written(tmp_path, "1,2", 'a"b,3', "3", '"4",5')
    assert elements(CsvDataset(name, [0, 0]).ignore_errors()) == [(1, 2), (4, 5)]


def test_what_is_refused_beforehand(tmp_path):
    name = written(tmp_path, "1,2")
    with pytest.raises(tf.errors.InvalidArgumentError, match="Either select_cols or exclude_cols"):
        CsvDataset(name, [0], select_cols=[0], exclude_cols=[1])
    with pytest.raises(tf.errors.InvalidArgumentError, match="strictly increasing"):
        CsvDataset(name, [0, 0], select_cols=[1, 0])
    with pytest.raises(ValueError, match="field_delim must be one character"):
        CsvDataset(name, [0, 0], field_delim=", ")
    with pytest.raises(TypeError, match="a column cannot be of type bool"):
        CsvDataset(name, [True, 0])
    (tmp_path / "empty").write_text("")
    with pytest.raises(tf.errors.InvalidArgumentError, match="Can't read header of file"):
        elements(CsvDataset(tmp_path / "empty", [0], header=True))
    assert elements(CsvDataset(tmp_path / "empty", [0])) == []


def test_columns_by_name(tmp_path):
    name = written(tmp_path, "n,big,x,t,none", "1,2,3,x,", "2,8589934592,2.5,y,", "3,4,1e300,z,")
    data = make_csv_dataset(name, 2, label_name="t", num_epochs=1, shuffle=False)
    types = {key: spec.dtype for key, spec in data.element_spec[0].items()}
    assert types == {"n": tf.int32, "big": tf.int64, "x": tf.float64, "none": tf.string}
    (first, labels), (last, label) = elements(data)
    assert first == {"n": [1, 2], "big": [2, 2**33], "x": [3.0, 2.5], "none": [b"", b""]}
    assert labels == [b"x", b"y"] and last["n"] == [3] and label == [b"z"]
    some = make_csv_dataset(
        name, 1, ["a", "b", "c", "d", "e"], [tf.float32, ""], select_columns=["a", "d"],
        num_epochs=1, shuffle=False,
    )  # fmt: skip
    assert elements(some)[0] == {"a": [1.0], "d": [b"x"]}


def test_batches_without_end(tmp_path):
    name = written(tmp_path, "n", "1", "2", "3")
    batches = make_csv_dataset(name, 2, shuffle_seed=1).take(6)
    assert batches.element_spec["n"].shape == [2]
    found = sum((batch["n"] for batch in elements(batches)), [])
    assert sorted(found) == [1] * 4 + [2] * 4 + [3] * 4


def test_names_that_do_not_fit(tmp_path):
    name = written(tmp_path, "a,b", "1,2")
    for arguments, text in (
        ({"label_name": "c"}, "`label_name` provided must be one of the columns"),
        ({"column_names": ["a", "a"]}, "Cannot have duplicate column names"),
        ({"column_names": ["a", "b", "c"]}, "a record has 2 fields, but there are 3 columns"),
        ({"select_columns": ["a", "z", 9]}, r"select_columns \['z', 9\] are none of"),
        ({"header": False}, "Cannot infer column names without a header line"),
    ):
        with pytest.raises(ValueError, match=text):
            make_csv_dataset(name, 1, **arguments)
    (tmp_path / "g.csv").write_text("x,y\n")
    with pytest.raises(ValueError, match="the same line of names"):
        make_csv_dataset(str(tmp_path / "*.csv"), 1)
    with pytest.raises(ValueError, match="No files matched"):
        make_csv_dataset(str(tmp_path / "none"), 1)
