"""How tests look at datasets: their elements as plain Python, got in every way there is."""

import numpy as np

import autograph
import runtime as tf

MOST = 30  # elements looked at: of a dataset without end, too


def plain(value):
    """Nests of Python's numbers, texts and lists for nests of tensors."""
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, tuple):
        made = [plain(part) for part in value]
        return type(value)(*made) if hasattr(value, "_fields") else tuple(made)
    if isinstance(value, tf.data.Dataset):
        return elements(value)
    return np.asarray(value).tolist()


def elements(dataset):
    """The first elements, by iterating."""
    return [plain(element) for _, element in zip(range(MOST), dataset)]


def leaves(value):
    """The parts of a nest of plain values, a list being one."""
    if isinstance(value, dict):
        value = tuple(value[key] for key in sorted(value))
    return sum(map(leaves, value), ()) if isinstance(value, tuple) else (value,)


def in_function(make):
    """The parts of the elements of a dataset made and gone through in a function."""

    @tf.function
    def run():
        found = []
        count = tf.constant(0)
        for element in make().take(MOST):
            found.append(tuple(tf.nest.flatten(element)))
            count += 1
        return found, count

    found, count = run()
    assert len(found) == count
    return [plain(element) for element in found]


def in_session(make):
    """The elements of a dataset made in a graph, by an iterator that a session initialises."""
    with tf.Graph().as_default(), tf.Session() as session:
        iterator = make().take(MOST).make_initializable_iterator()
        following = iterator.get_next()
        session.run(iterator.initializer)
        found = []
        while True:
            try:
                found.append(plain(session.run(following)))
            except tf.errors.OutOfRangeError:
                return found


def looped_in_session(make):
    """The number of elements, by a loop that is staged into a session's graph."""

    def count():
        total = 0
        for _ in make().take(MOST):
            total += 1
        return total

    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(autograph.to_graph(count)())
