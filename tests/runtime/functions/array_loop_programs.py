"""Programs that change NumPy arrays in place in loops; as in ``array_programs``."""

from __future__ import annotations


def loop_writes(a, b, n):
    i = 0
    while i < n:
        a[i] = 0.0
        i += 1
    return a


def loop_accumulates(a, b, n):
    i = 0
    while i < n:
        a += b[0]
        i += 1
    return a


def loop_other_name_sees_it(a, b, n):
    c = a
    i = 0
    while i < n:
        c[0] += a[1]
        a[1] = c[0]
        i += 1
    return a, c


def loop_over_view_made_before(a, b, n):
    v = b[0]
    i = 0
    while i < n:
        b[0] = b[0] + 1.0
        b[1] += v
        i += 1
    return b, v


def loop_over_view_made_inside(a, b, n):
    i = 0
    while i < n:
        v = b[i]
        v[0] = 9.0
        i += 1
    return b


def loop_rebinds(a, b, n):
    c = a
    i = 0
    while i < n:
        c = c * 2.0
        c[0] = 1.0
        i += 1
    return a, c


def loop_rebinds_after_writing(a, b, n):
    c = a + 0.0
    i = 0
    while i < n:
        c[0] = 5.0
        c = c * 2.0
        i += 1
    return c


def loop_rebinds_after_writing_the_argument(a, b, n):
    c = a
    i = 0
    while i < n:
        c[0] = 5.0
        c = c * 2.0
        i += 1
    return c


def loop_rebinds_and_the_first_is_used(a, b, n):
    c = a + 0.0
    d = c
    i = 0
    while i < n:
        c[0] = 5.0
        c = c * 2.0
        i += 1
    return d


def loop_reads_before_it_is_stale(a, b, n):
    c = a + 0.0
    d = c
    x = a[0] * 0.0
    i = 0
    while i < n:
        x = x + d[0]
        c[0] = 5.0
        c = c * 2.0
        i += 1
    return x


def loop_swaps_names(a, b, n):
    x = b[0]
    y = b[1]
    i = 0
    while i < n:
        x, y = y, x
        i += 1
    return x, y


def loop_swaps_names_and_writes(a, b, n):
    x = b[0] + 0.0
    y = b[1] + 0.0
    i = 0
    while i < n:
        x, y = y, x
        x[0] += 1.0
        i += 1
    return x, y


def loop_with_break(a, b, n):
    for row in b:
        row[1] = 3.0
        if row[0] > 3.0:
            break
    return b


def loop_bubble_sort(a, b, n):
    for i in range(4):
        for j in range(3):
            if a[j] < a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return a


def constant_in_a_loop(a, b, n):
    import numpy as np

    c = np.zeros(4)
    i = 0
    while i < n:
        c[i] = a[0]
        i += 1
    return c


def constant_in_a_loop_with_another_name(a, b, n):
    import numpy as np

    c = np.zeros(4)
    d = c
    i = 0
    while i < n:
        c[i] = a[0]
        i += 1
    return d + 0.0


def appended(a, b, n):
    rows = []
    i = 0
    while i < n:
        v = b[0] + 0.0
        rows.append(v)
        v[0] = 100.0
        i += 1
    return rows[0]


def appended_and_read_back(a, b, n):
    rows = [b[2]]
    i = 0
    while i < n:
        rows.append(b[0])
        i += 1
    r = rows[0]
    r[0] = 55.0
    return b


class _Pair:
    def __init__(self, x, y):
        self.x = x
        self.y = y


def attributes_that_were_one_array(a, b, n):
    p = _Pair(a, a)
    i = 0
    while i < n:
        p.x[0] += 1.0
        p.y = p.y * 2.0
        i += 1
    return p.x, p.y


def tuple_of_arrays(a, b, n):
    t = (a, b)
    i = 0
    while i < n:
        t = (t[0] + 1.0, t[1])
        i += 1
    t[1][0] = 0.0
    return t


def numbered_rows(a, b, n):
    for i, row in enumerate(b):
        row[i] = -1.0
    return b


def rows_in_reverse(a, b, n):
    for row in reversed(b):
        row *= 2.0
    return b


def pairs_of_rows(a, b, n):
    for x, y in zip(b, b[1:], strict=False):
        x += y
    return b


def scaled_by_builtins(a, b, n):
    c = a * max(a) + sum(a)
    d = c
    d += 1.0
    return c


def row_or_view_by_value(a, b, n):
    i = 0
    while i < n:
        if a[i] > 1.0:
            b[i] = a
        else:
            v = b[i]
            v += 1.0
        i += 1
    return b


def swapped_by_staged_index(a, b, n):
    i = n - n
    a[i], a[i + 1] = a[i + 1], a[i]
    return a


def row_of_a_rebound_array(a, b, n):
    row, i = a + 0.0, 0
    while i < n:
        row = b[1]
        b = b + 1.0
        i += 1
    row *= 2.0
    return row


def last_row_of_a_rebound_array(a, b, n):
    row, i = a + 0.0, 0
    while i < n:
        for row in b:
            b = b[::-1]
        i += 1
    row *= 2.0
    return row


def item_of_a_row_of_swapped_arrays(a, b, n):
    row, other, i = a + 0.0, b + 1.0, 0
    while i < n:
        for row in b:
            b, other = other, b
        i += 1
    row[0] = 7.0
    return row
