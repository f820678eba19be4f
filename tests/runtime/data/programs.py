"""Programs that go through datasets: each gives the same eagerly, in functions and in sessions."""

import runtime as tf

D = tf.data.Dataset
OUTER = D.range(6)
PAIRS = D.from_tensor_slices(([1, 2, 3, 4], [10.0, 20.0, 30.0, 40.0]))
DICTS = D.from_tensor_slices({"a": [1, 2, 3], "b": [[1, 2], [3, 4], [5, 6]]})


def zero():
    return tf.constant(0, tf.int64)


def summed():
    total = zero()
    for x in OUTER:
        total += x
    return total


def broken_off():
    total = zero()
    for x in OUTER:
        if x == 4:
            break
        if x % 2 == 1:
            continue
        total += x + 10
    else:
        total = -total
    return total


def with_else():
    total = zero()
    for x in OUTER:
        total += x
        if x > 99:
            break
    else:
        total = -total
    return total


def found():
    for x in OUTER:
        if x * x > 10:
            return x
    return tf.constant(-1, tf.int64)


def unpacked():
    total = tf.constant(0.0)
    for k, x in PAIRS:
        total += tf.cast(k, tf.float32) * x
    return total


def dicts():
    total = 0
    for item in DICTS:
        total += item["a"] * tf.reduce_sum(item["b"])
    return total


def nested():
    total = zero()
    for x in D.range(4):
        for y in D.range(x):
            total += x * y
    return total


def last_of_all():
    last = zero()
    for last in OUTER:
        pass
    return last


def numbered():
    total = zero()
    for i, x in enumerate(OUTER, 2):
        total += i * x
    for i, (k, x) in enumerate(PAIRS):
        total += i * tf.cast(k, tf.int64)
    return total


def side_by_side():
    total = zero()
    for x, (k, y) in zip(OUTER, PAIRS):
        total += x * tf.cast(k, tf.int64)
    for x, k in zip(OUTER, [5, 6, 7]):
        total += x * k
    for k, x, y in zip(range(4), OUTER, OUTER.skip(2)):
        total += k * x * y
    return total


def mapped_and_filtered():
    total = zero()
    for x in map(lambda v: v * v, filter(lambda v: v > 2, OUTER)):
        total += x
    for x in map(lambda v, w: v * w, OUTER, OUTER):
        total += x
    return total


def folded():
    return sum(OUTER), max(OUTER), min(OUTER), any(OUTER), all(OUTER), len(OUTER)


def listed():
    squares = [x * x for x in OUTER if x != 3]
    return squares[1] + squares[-1], len(squares), len(list(OUTER))


def stepped():
    it = iter(OUTER)
    first = next(it)
    total = first * 100
    for x in it:
        total += x
        if x == 2:
            break
    total += 1000 * next(it)
    rest = zero()
    for x in it:
        rest += x
    return total, rest, next(it, zero() - 1)


def with_defaults():
    it = iter(D.range(2))
    return next(it, -1), next(it, -1), next(it, -1), next(it, -1)


def taken_in_turns():
    it = iter(OUTER)
    total = zero()
    for a, b in zip(it, it):
        total = total * 100 + a * 10 + b
    return total


def past_the_end():
    it = iter(D.range(1))
    total = next(it)
    try:
        total += next(it)
    except StopIteration:
        total -= 7
    return total


def chosen():
    data = OUTER if summed() > 3 else OUTER.take(2)
    for _ in tf.range(2):
        data = data.skip(1)
    total = zero()
    for x in data:
        total += x
    return total


def made_inside():
    data = D.range(tf.reduce_max(tf.constant([3, 5], tf.int64))).map(lambda x: x + 1).batch(2)
    total = zero()
    for x in data:
        total = total * 10 + tf.reduce_sum(x)
    return total


def called_within():
    def total_of(data, start):
        for x in data:
            start += x
        return start

    return total_of(OUTER, total_of(OUTER.take(3), zero()))


def doubled_of_outer():
    for x in OUTER:
        if x != 2:
            yield x * 2


def generated():
    def pairs_of(data):
        for x in data:
            yield x, x + 1

    total = zero()
    for x in doubled_of_outer():
        total += x
    for x, y in pairs_of(OUTER.take(3)):
        total = total * 10 + x * y
    return total


PROGRAMS = (
    summed, broken_off, with_else, found, unpacked, dicts, nested, last_of_all, numbered,
    side_by_side, mapped_and_filtered, folded, listed, stepped, with_defaults, taken_in_turns,
    past_the_end, chosen, made_inside, called_within, generated,
)  # fmt: skip
