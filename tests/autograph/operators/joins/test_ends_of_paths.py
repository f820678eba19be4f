"""What a path makes of older objects leaves it with what they hold at its end, not before it."""

import pytest

import runtime as tf
from autograph.errors import EffectError


class Box:
    """Object of the user's with one attribute."""

    def __init__(self, held):
        self.held = held


def list_of_an_older_list(n):
    w = [3, 4]
    y = [w, [5, 6]]
    z = y
    if n < 2:
        z = [[5, 6], w]
        w[0] = 7
    return z[1][0], z[0][0], w[0]


def list_of_a_longer_list(n):
    w = [3, 4]
    y = [w, [5, 6]]
    z = y
    if n < 2:
        z = y[::-1]
        w += [n]
    return z[0][0], z[1][0], w[0]


def on_the_other_side(n):
    w = [3, 4]
    z = y = [w, [5, 6]]
    if n >= 2:
        pass
    else:
        z = [[5, 6], w]
        w[0] = 7
    return z[1][0], y[0][0]


def object_with_an_older_list(n):
    w = [3, 4]
    if n < 2:
        o = Box(w)
        w[0] = 7
        w.append(n)
    else:
        o = Box([n, 2])
    return o.held[0], w[0]


def dict_of_an_older_dict(n):
    w, z = {"a": 1}, {"k": {"a": 2}}
    y = z
    if n < 2:
        z = {"k": w}
        w["a"] = 7
    return z["k"]["a"], w["a"], y["k"]["a"]


@pytest.mark.parametrize("function", [
    list_of_an_older_list, list_of_a_longer_list, on_the_other_side, object_with_an_older_list,
    dict_of_an_older_dict,
])  # fmt: skip
def test_objects_are_joined_as_their_paths_left_them(function):
    staged, jitted = tf.function(function), tf.jit(function, strict=True)
    for n in (1, 3):
        assert tuple(map(int, staged(tf.constant(n)))) == function(n)
        assert jitted(n) == function(n)


def appended_on_one_path_and_longer_on_another(n):
    q, r = [], [n]
    if n > 2:
        q.append(r)
    else:
        r.append(n)
    return q, r


def appended_twice_and_a_float_on_another(n):
    q, r = [], [n]
    if n > 2:
        q.append(r)
        q.append(r)
    else:
        r[0] = 2.5
    return q, r


def tuples_of_other_lengths(n):
    t, r = (n,), [n]
    if n > 2:
        t = (r,)
    else:
        r.append(n)
        t = (r, r)
    return t, r


def item_of_a_tuple_that_is_appended(n):
    q, r = [], [n]
    if n > 2:
        q.append((r, 1))
    else:
        r.append(n)
    return q, r


def dicts_of_other_keys(n):
    d, r = {}, [n]
    if n > 2:
        d = {"a": r}
    else:
        r[0] = 2.5
        d = {"b": r}
    return d, r


def lists_of_other_lists(n):
    a, b = [n], [n, n]
    if n > 2:
        q = [a, b]
        a.append(1)
    else:
        q = [b]
        b.pop()
    return q, a, b


@pytest.mark.parametrize("function", [
    appended_on_one_path_and_longer_on_another, appended_twice_and_a_float_on_another,
    tuples_of_other_lengths, item_of_a_tuple_that_is_appended, dicts_of_other_keys,
    lists_of_other_lists,
])  # fmt: skip
def test_items_are_laid_out_as_their_paths_left_them(function):
    jitted = tf.jit(function, strict=True)
    for n in (1, 3):
        assert repr(jitted(n)) == repr(function(n))


def grows_and_is_appended(n):
    r, q = [n], []
    for _ in range(n):
        r.append(n)
        q.append(r)
    return q


def grows_in_a_list_that_grows(n):
    r = [n]
    q = [r]
    for i in range(n):
        r.append(n)
        q.append([i])
    return q


def grows_on_a_path_of_an_iteration(n):
    r = [n]
    q = [(r, 1)]
    for i in range(n):
        q.append(([i], 2))
        if n > 3:
            r[0] += 1
    return q


@pytest.mark.parametrize("function", [
    grows_and_is_appended, grows_in_a_list_that_grows, grows_on_a_path_of_an_iteration,
])  # fmt: skip
def test_an_older_list_that_iterations_change_is_no_item_of_a_list_that_grows(function):
    with pytest.raises(EffectError, match="a list is changed although it was put into a list"):
        tf.jit(function, strict=True)(4)
