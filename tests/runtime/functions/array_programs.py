"""Programs that change NumPy arrays in place, where another name, a view or the caller sees it.

Each takes fresh arrays: ``a`` of shape (4,), ``b`` of shape (3, 4), and a number ``n`` that tests
pass staged, as an array of rank 0.
"""

from __future__ import annotations

import numpy as np


def argument(a, b, n):
    a[0] = 5.0


def argument_and_result(a, b, n):
    a[1] += 2.0
    return a


def _write(values, number):
    values[2] = number


def helper_writes(a, b, n):
    _write(a, 7.0)
    return a * 2.0


def helper_writes_a_row(a, b, n):
    _write(b[1], 7.0)
    return b + 0.0


def row_view(a, b, n):
    v = b[0]
    v[0] = 100.0
    return b, v


def row_view_before_write_to_base(a, b, n):
    v = b[0]
    b[0] = 0.0
    return v


def view_of_view(a, b, n):
    v = b[1:]
    w = v[0]
    w[1:3] = -1.0
    return b, v, w


def other_name(a, b, n):
    c = b
    c += 1.0
    return b


def other_name_of_copy(a, b, n):
    c = b + 0.0
    c += 1.0
    return b, c


def rows_of_a_loop(a, b, n):
    for row in b:
        row[0] = 0.0
    return b


def unpacked_rows(a, b, n):
    x, y, z = b
    y[:] = 3.0
    x += z
    return b


def swap_numbers(a, b, n):
    a[0], a[1] = a[1], a[0]
    return a


def swap_rows(a, b, n):
    b[0], b[1] = b[1], b[0]
    return b


def transposed(a, b, n):
    t = b.T
    t[0] = 9.0
    return b, t


def reversed_axes(a, b, n):
    row, cube, number = a.T, b[None].T, np.array(2.0)
    row[0] = 9.0
    cube[0] = 7.0
    return a, b, row, cube, number.T, (number + a[1]).T


def column(a, b, n):
    c = b[:, 1]
    c *= 3.0
    return b


def new_axis(a, b, n):
    c = a[None]
    c[0, 2] = 8.0
    return a


def advanced_index_copies(a, b, n):
    c = b[[0, 2]]
    c[0] = 1.0
    return b, c


def mask_copies(a, b, n):
    c = a[a > 1.0]
    c += 5.0
    return a, c


def masked_assignment(a, b, n):
    c = a
    c[c > 1.0] = 0.0
    return a


def mask_is_an_array(a, b, n):
    m = a > 1.0
    k = m
    m[0] = True
    return k


def result_of_operator_is_an_array(a, b, n):
    c = a * 2.0
    d = c
    d[0] = 1.0
    return c


def number_of_an_array_is_a_copy(a, b, n):
    x = a[0]
    a[0] = 9.0
    x += 1.0
    return x, a


def scaled_by_own_number(a, b, n):
    c = a * a[1]
    d = c
    d += 1.0
    return c


def augmented_view_item(a, b, n):
    b[0] += b[1]
    b[1, 2] -= 4.0
    return b


def augmented_slices_overlap(a, b, n):
    a[1:] += a[:-1]
    return a


def assigned_from_overlap(a, b, n):
    a[1:] = a[:-1]
    return a


def list_of_rows(a, b, n):
    rows = [b[0], b[1]]
    rows[1][2] = 4.0
    return b


def dict_of_arrays(a, b, n):
    d = {"x": a}
    d["x"][1] = 3.0
    d["y"] = d["x"]
    d["y"] += 1.0
    return a


class _Box:
    def __init__(self, values):
        self.values = values


def attribute(a, b, n):
    box = _Box(a)
    box.values[1] = 8.0
    box.values += 1.0
    return a


def closure(a, b, n):
    def write():
        a[3] = 1.0

    write()
    return a


def closure_in_a_branch(a, b, n):
    def write():
        a[3] = 1.0

    if n > 2:
        write()
    return a + 0.0


def branch(a, b, n):
    if n > 2:
        a[0] = 5.0
    return a


def branch_on_both_sides(a, b, n):
    c = a
    if n > 2:
        a[0] = 5.0
    else:
        c[1] = 6.0
    return c


def branch_writes_a_view(a, b, n):
    v = b[1]
    if n > 2:
        v[0] = 5.0
    return b


def branch_reads_a_view(a, b, n):
    v = b[1]
    b[1] = 1.0
    if n > 2:
        x = v[0]
    else:
        x = v[1]
    return x


def view_made_in_a_branch(a, b, n):
    if n > 2:
        v = b[1]
        v += 2.0
    return b


def either_of_two(a, b, n):
    c = a + 0.0
    if n > 2:
        x = a
    else:
        x = c
    x[0] = 9.0
    return x


def either_of_two_and_the_other(a, b, n):
    if n > 2:
        x = a
    else:
        x = b[0]
    x[0] = 9.0
    return a, b


def either_read_after_source_changed(a, b, n):
    if n > 2:
        x = a
    else:
        x = b[0]
    a[0] = 9.0
    return x


def either_unchanged(a, b, n):
    if n > 2:
        x = a
    else:
        x = b[0]
    return x * 2.0 + a


def rebound_in_a_branch(a, b, n):
    c = a
    if n > 2:
        c = c * 2.0
    c[0] = 1.0
    return c


def two_names_made_in_a_branch(a, b, n):
    if n > 2:
        x = a + 1.0
        y = x
    else:
        x = a + 2.0
        y = a + 3.0
    x[0] = 0.0
    return y


def writes_and_raises(a, b, n):
    a[0] = 5.0
    if n > 2:
        raise ValueError("too large")
    a[1] = 6.0
    return a


def raises_and_is_caught(a, b, n):
    try:
        a[0] = 5.0
        if n > 2:
            raise ValueError("too large")
        a[1] = 6.0
    except ValueError:
        a[2] = 7.0
    return a


def conditional_expression(a, b, n):
    x = a if n > 2 else b[1]
    x += 1.0
    return x


def argument_of_rank_0(a, b, n):
    n += 1
    return n * 2


def _made(values, deep):
    if deep:
        values[0] = 1.0
        return values
    return values[1:]


def handed_through(a, b, n):
    x = _made(a, True)
    y = _made(x, False)
    y[0] = 3.0
    return a, x


def optional(a, b, n):
    x = None
    if n > 2:
        x = a
    if x is not None:
        x[0] = 4.0
    return a + 0.0


def largest_is_a_number(a, b, n):
    c = a * abs(a)
    d = c
    d += 1.0
    return c


def in_place_on_constant(a, b, n):
    import numpy as np

    c = np.zeros(4)
    d = c
    c += a
    return d


def copied(a, b, n):
    import copy

    c = copy.copy(a)
    d = a.copy()
    c[0] = 1.0
    d.fill(2.0)
    return a, c, d


def matrix_product_in_place(a, b, n):
    c = b @ b.T
    d = c
    d[0] = 0.0
    return c
