"""Programs that make NumPy arrays and change them in place: plain Python is the oracle."""

import numpy as np

TABLE = np.arange(6.0).reshape(2, 3)
WHOLE = np.arange(5)


def item(n):
    a = np.zeros(10)
    a[0] = n
    a[n] += 2
    a[-1] = n / 2
    return a


def filled_in_a_loop(n):
    d = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            d[i, j] = i + j if i > j else 2 * j
    return d


def dynamic_programming(n):
    ways = np.zeros(n + 1, dtype=np.int64)
    ways[0] = 1
    for coin in (1, 2, 5):
        for total in range(coin, n + 1):
            ways[total] += ways[total - coin]
    return ways[n], ways


def prime_sieve(n):
    prime = np.ones(n + 1, dtype=bool)
    prime[:2] = False
    for i in range(2, n + 1):
        if prime[i]:
            prime[i * i :: i] = False
    return prime.sum()


def on_one_path(n):
    a = np.zeros(3)
    if n > 1:
        a[0] = 1.0
    else:
        a.fill(7)
    return a


def in_a_while(n):
    a = np.full(3, 2.5)
    while n > 0:
        a[0] += 1
        n -= 1
    return a


def operators(n):
    a = np.ones((2, 2))
    for i in range(n):
        a += i
        a *= 2
        a -= [1, 2]
        a /= 3
    return a


def rows_and_masks(n):
    a = np.arange(12.0).reshape(3, 4).copy()
    a[0, :] = n
    a[:, 1] = [n, 2, 3]
    a[a > 6] = -n
    a[1, ::2] += n
    a[[0, 2], [n % 3, 3]] = 9
    return a


def views(n):
    a = np.zeros((3, 3))
    b = a[1]
    b[:] = n
    for row in a:
        row[0] = 5
    a.T[2] = n
    return a, b


def aliases(n):
    a = np.zeros(3)
    b = a
    b[0] = n
    c = a.copy()
    c[1] = n
    return a, b, c


def scalar_read_before(n):
    a = np.zeros(3)
    first = a[0]
    a[0] = n
    return first, a[0]


def put(a, n):
    a[1] = n


def helper(n):
    a = np.zeros(3)
    put(a, n)
    if n > 1:
        put(a, 40)
    return a


def closure(n):
    a = np.zeros(3)

    def change():
        a[2] = n

    change()
    return a


def list_of_arrays(n):
    rows = [np.zeros(3) for _ in range(3)]
    rows[1][0] = n
    rows[2] += n
    for row in rows:
        row[1] = 1
    return rows


class Buffer:
    def __init__(self, n):
        self.held = np.zeros(4)
        self.held[0] = n

    def push(self, x):
        self.held[1:] = self.held[:-1]
        self.held[0] = x


def attribute(n):
    buffer = Buffer(n)
    for i in range(n):
        buffer.push(i)
    return buffer.held


def computed_first(n):
    a = np.zeros(3) + 1
    a[0] = n
    return a


def copy_of_an_outer_one(n):
    a = TABLE.copy()
    a[0, 1] = n
    return a, TABLE.sum()


def no_index(n):
    a = np.zeros(4)
    try:
        a[n] = 1
    except IndexError:
        a[0] = -1
    return a


def out_of_range(n):
    a = np.zeros(2)
    a[n] = 1
    return a


def swapped(n):
    a = np.array([[1, 2], [3, 4]])
    a[0], a[1] = a[1] * n, a[0].copy()
    b = np.array([1, 2, 3])
    b[0], b[2] = b[2], b[0]
    return a, b


def many_arrays(n):
    a, b, c = np.zeros(2), np.ones(2), np.full(2, 3)
    d, e, f = np.empty(2), np.zeros_like(a), np.arange(2)
    g = np.ndarray(2, np.int32)
    for x in (a, b, c, d, e, f, g):
        x[0] = n
        x[1] = 2
    return a, b, c, d, e, f, g


def shapes(n):
    a = np.zeros((2, 3))
    a[n % 2] = 1
    return a.shape, a.ndim, a.size, len(a), a.sum()


def sizes(n):
    a = np.zeros((n, 2))
    rows, columns = a.shape
    total = 0
    for i in range(a.shape[0]):
        total += i
    b = np.ones(a.shape, dtype=a.dtype)
    return a.shape, a.size, rows * columns, total, b, a.shape == (3, 2), f"{a.shape}"


def types(n):
    a = np.arange(3) + n
    b = isinstance(a, np.ndarray), isinstance(a[0], np.int64), isinstance(a, int), type(a)
    return b, a.dtype, str(a.dtype), a.dtype.kind, a.nbytes, np.isscalar(a[0]), np.shape(a)


def one_of_two(n):
    a, b = np.zeros(2), np.ones(2)
    c = a if n > 1 else b
    c[0] = n
    return c


# -- dtypes ------------------------------------------------------------------------------------


def truncated(n):
    a = np.array([1, 2, 3])
    a[0] = n / 2
    a[1] = -n / 2
    a[2] = 2.9
    return a


def array_truncated(n):
    a = np.zeros(3, dtype=int)
    a[:] = TABLE[1] / n
    a[1] = TABLE[1, 1] + 0.5
    return a


def narrow(n):
    a = np.zeros(2, dtype=np.int8)
    a[0] = n * 100
    return a


def unsigned(n):
    a = np.zeros(2, dtype=np.uint8)
    a[0] = 1 - n
    return a


def truths(n):
    a = np.zeros(3, dtype=bool)
    a[0] = n
    a[1] = n - 1
    a[2] = n / 2
    return a


def truth_among_floats(n):
    a = np.zeros(2)
    a[0] = n > 1
    a[1] = True
    return a


def single_precision(n):
    a = np.zeros(3, dtype=np.float32)
    a += TABLE[1]
    a[0] = n / 3
    a *= 1.5
    return a


def no_float_to_int(n):
    a = np.arange(3)
    a += n / 2
    return a


def no_division_of_ints(n):
    a = np.arange(3)
    a /= n
    return a


def not_a_number(n):
    a = np.arange(3)
    a[0] = float("nan") * n
    return a


def infinite(n):
    a = np.arange(3)
    a[0] = float("inf") * n
    return a


def text(n):
    a = np.zeros(3)
    a[n % 3] = "x"
    return a


def none(n):
    a = np.zeros(3)
    a[n % 3] = None
    return a


def complex_to_float(n):
    a = np.zeros(3)
    a[0] = n * 1j
    return a


def too_long(n):
    a = np.zeros(3)
    a[:2] = np.ones(3) * n
    return a


def mixed_dtypes(n):
    mask = (WHOLE > n) + WHOLE, (TABLE > n) + True
    return WHOLE * TABLE[0, 1] + n, WHOLE * 2.5 * n, WHOLE**n, mask


# -- functions and methods that change arrays --------------------------------------------------


def reshaped(n):
    a = np.arange(6).reshape(2, 3)
    a[0, 1] = n
    b = np.zeros(4)
    c, d = b.reshape(2, 2), b.ravel()
    c[1, 0] = n
    d[0] = 7
    e = (np.arange(n + 3) * 2).reshape(-1, 1)
    return a, b, c, d, e


def converted(n):
    a = TABLE.astype(np.int32)
    a[0] = n
    b = np.array(a)
    b[1] = 2 * n
    return a, b, np.clip(a, 0, n)


def sorted_in_place(n):
    a = np.array([3, 1, 2]) * n
    a.sort()
    b = np.zeros(3)
    b.put([0, 2], n)
    if n > 1:
        b.sort()
    return a, b


def by_functions(n):
    a, b, c = np.zeros(3), np.zeros((3, 3)), np.zeros(3, dtype=int)
    np.copyto(a, n)
    np.fill_diagonal(b, n)
    np.put(c, [0, 1], n)
    np.putmask(a, a > 2, -1)
    return a, b, c


def given_as_out(n):
    a, b = np.ones(3), np.zeros(3)
    c = np.add(a, n, out=b)
    np.multiply(a, 2.5, out=a)
    np.sqrt(a, a)
    return a, b, c is b


def no_float_to_int_out(n):
    a = np.arange(3)
    np.add(a, n / 2, out=a)
    return a


def lists(n):
    a = np.zeros((2, 2))
    a[0] = n
    return a.tolist(), a[1].tolist(), a[0, 0].tolist(), (np.arange(n) + n).tolist()


PROGRAMS = [
    value for value in list(vars().values())
    if callable(value) and value not in (put, Buffer)
]  # fmt: skip
