"""Hash tables: lookups, changes in program order, sessions, refusals."""

import numpy as np
import pytest

import autograph
import runtime as tf

lookup = tf.lookup
INVALID = tf.errors.InvalidArgumentError


def static(keys=("a", "b"), values=(1, 2), default=-1):
    entries = lookup.KeyValueTensorInitializer(list(keys), list(values))
    return lookup.StaticHashTable(entries, default)


def plain(value):
    return tf.nest.map_structure(lambda v: np.asarray(v).tolist(), value)


def everywhere(make, program):
    """What a program of a new table gives: eagerly, as a function and in a session."""
    eager = plain(program(make()))
    table = make()
    assert plain(tf.function(lambda: program(table))()) == eager
    with tf.Graph().as_default(), tf.Session() as session:
        table = make()
        result = autograph.to_graph(program)(table)
        session.run(tf.tables_initializer())
        assert plain(session.run(result)) == eager
    return eager


def test_static():
    def program(table):
        return table.lookup(tf.constant([["b", "z"], ["a", "a"]])), table["a"], table.size()

    assert everywhere(static, program) == ([[2, -1], [1, 1]], 1, 2)
    keys, values = static().export()
    assert dict(zip(plain(keys), plain(values))) == {b"a": 1, b"b": 2}
    assert repr(static()) == "<StaticHashTable 'hash_table' of string to int32>"
    numbers = static([1, 2], ["x", "y"], "none")
    assert plain(numbers.lookup([2, 5])) == [b"y", b"none"]


def counted(table):
    words = tf.constant(["to", "be", "or", "not", "to", "be"])
    for word in words:
        if table.lookup(word) < 0:
            table.insert(word, 1)
        else:
            table.insert(word, table.lookup(word) + 1)
    table.remove(["or", "never"])
    return table.lookup(["to", "be", "or", "not"]), table.size()


def mutable():
    return lookup.experimental.MutableHashTable(tf.string, tf.int32, -1)


def test_changes_keep_the_order_of_the_program():
    assert everywhere(mutable, counted) == ([2, 2, -1, 1], 3)


def test_values_with_axes():
    def make():
        return lookup.experimental.MutableHashTable(tf.int64, tf.float32, [-1.0, 0.0])

    def program(table):
        table.insert([5, 7], [[1.0, 2.0], [3.0, 4.0]])
        table.insert([7], [[5.0, 6.0]])
        table.remove([5])
        return table.lookup([[5, 7]]), table.export()

    assert everywhere(make, program) == ([[[-1, 0], [5, 6]]], ([7], [[5, 6]]))


def test_sessions_have_entries_of_their_own():
    with tf.Graph().as_default():
        table = mutable()
        insert, size = table.insert(["a"], [1]), table.size()
        with tf.Session() as one, tf.Session() as other:
            one.run(insert)
            assert (one.run(size), other.run(size)) == (1, 0)
        fixed = static()
        with tf.Session() as session:
            with pytest.raises(tf.errors.FailedPreconditionError, match="tables_initializer"):
                session.run(fixed.size())


def test_defaults_for_each_key():
    table = mutable()
    table.insert(["a"], [7])
    found = table.lookup(tf.constant(["a", "b", "c"]), dynamic_default_values=[1, 2, 3])
    assert plain(found) == [7, 2, 3]


def test_made_in_a_function():
    @tf.function
    def f(words):
        return static().lookup(words)

    assert plain(f(tf.constant(["b", "c"]))) == [2, -1]


def test_ragged_keys():
    found = static().lookup(tf.strings.split(["a b", "c"]))
    assert found.to_list() == [[1, 2], [-1]]


def test_files(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("x\t10\ny\t20\n")
    columns = lookup.TextFileInitializer(str(path), tf.string, 0, tf.int64, 1)
    assert plain(lookup.StaticHashTable(columns, -1).lookup(["y", "q"])) == [20, -1]
    index = lookup.TextFileIndex
    lines = lookup.TextFileInitializer(
        str(path), tf.string, index.WHOLE_LINE, tf.int64, index.LINE_NUMBER
    )
    assert plain(lookup.StaticHashTable(lines, -1).lookup(["y\t20"])) == [1]
    with pytest.raises(tf.errors.NotFoundError, match=r"none\.txt"):
        lookup.TextFileInitializer("none.txt", tf.string, 0, tf.int64, 1)
    with pytest.raises(INVALID, match="no column 5"):
        lookup.TextFileInitializer(str(path), tf.string, 5, tf.int64, 1)
    for wrong, text in (
        (("", tf.string, 0, tf.int64, 1), "`filename` argument required"),
        ((str(path), tf.string, -3, tf.int64, 1), "Invalid index of keys"),
        ((str(path), tf.int64, index.WHOLE_LINE, tf.int64, 1), "Keys must be dtype string"),
        ((str(path), tf.string, 0, tf.string, index.LINE_NUMBER), "Values must be dtype int64"),
        ((str(path), tf.string, 0, tf.int64, 1, 0), "must be greater than 0"),
    ):
        with pytest.raises(ValueError, match=text):
            lookup.TextFileInitializer(*wrong)
    with pytest.raises(INVALID, match="expected 3 but got 2"):
        lookup.TextFileInitializer(str(path), tf.string, 0, tf.int64, 1, 3)


def test_lines_end_at_line_feeds_alone(tmp_path):
    path = tmp_path / "odd.txt"
    path.write_bytes(b"a\x0bb\r\nc\xe2\x80\xa8d\n\n\xff\n")
    index = lookup.TextFileIndex
    table = lookup.StaticHashTable(lookup.TextFileInitializer(
        tf.constant(str(path)), tf.string, index.WHOLE_LINE, tf.int64, index.LINE_NUMBER
    ), -1)  # fmt: skip
    words = [b"a\x0bb", b"c\xe2\x80\xa8d", b"", b"\xff", b"a"]
    assert plain(table.lookup(words)) == [0, 1, 2, 3, -1]


def test_vocabulary():
    entries = lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([0, 1], tf.int64))
    table = lookup.StaticVocabularyTable(entries, 3)
    assert plain(table.lookup(tf.constant(["a", "zz", "q"]))) == [0, 3, 4]  # as TensorFlow 2.21
    assert plain(table.size()) == 5
    with pytest.raises(ValueError, match="must be > 0"):
        lookup.StaticVocabularyTable(entries, 0)


def test_what_does_not_fit_is_refused():
    with pytest.raises(tf.errors.FailedPreconditionError, match="Key a has 1 and trying to add"):
        static(["a", "a"], [1, 2])
    with pytest.raises(TypeError, match="Dtype of argument `keys` must be tf.string"):
        static().lookup(tf.constant([1]))
    with pytest.raises(ValueError, match="one shape"):
        static(["a"], [1, 2])
    with pytest.raises(INVALID, match=r"Expected shape \(2,\) for value, got \(1,\)"):
        mutable().insert(["a", "b"], [1])
    with pytest.raises(ValueError, match="scalar"):
        static(default=[1])
