import bisect


def size(pair):
    number, limit = pair
    if number > limit:
        return 1
    return 0


def f(x):
    return bisect.bisect_left([(1, x), (2, x)], 1, key=size)


ARGS = (1,)
