"""Caches: what is made once, when a cache is complete, and files for the next program."""

import pytest

import runtime as tf
from tests.support.ways import elements

D = tf.data.Dataset


def counted(made):
    def generate():
        for k in range(4):
            made.append(k)
            yield k

    return D.from_generator(generate, output_signature=tf.TensorSpec((), tf.int64))


def test_elements_are_made_once():
    made = []
    data = counted(made).cache()
    assert elements(data) == elements(data) == [0, 1, 2, 3]
    assert made == [0, 1, 2, 3]
    assert elements(data.repeat(3)) == [0, 1, 2, 3] * 3
    assert made == [0, 1, 2, 3]


def test_a_part_is_no_cache():
    made = []
    data = counted(made).cache()
    assert elements(data.take(2)) == [0, 1]
    assert elements(data) == [0, 1, 2, 3]
    assert made == [0, 1, 0, 1, 2, 3]


def test_files(tmp_path):
    name = str(tmp_path / "deep" / "data")
    made = []
    assert elements(counted(made).map(lambda x: (x, tf.as_string(x))).cache(name))[3] == (3, b"3")
    again = counted(made).map(lambda x: (x, tf.as_string(x))).cache(name)
    assert elements(again)[1] == (1, b"1")
    assert made == [0, 1, 2, 3]
    (file,) = (tmp_path / "deep").iterdir()
    file.write_bytes(b"no cache")
    with pytest.raises(tf.errors.DataLossError, match="is damaged"):
        elements(counted(made).cache(name))


def test_shuffled_after_the_cache():
    made = []
    data = counted(made).cache().shuffle(4, seed=1)
    assert sorted(elements(data)) == sorted(elements(data)) == [0, 1, 2, 3]
    assert made == [0, 1, 2, 3]


def test_who_knows_the_size_need_not_ask_for_the_end():
    data = D.range(10).shuffle(10).cache()
    iterator = iter(data)
    first = [int(next(iterator)) for _ in range(10)]
    assert elements(data) == first
