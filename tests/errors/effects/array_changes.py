import array

counts = array.array("l", [0, 0])


def f(n):
    while n > 0:
        counts[0] += 1
        n = n - 1
    return n


ARGS = (3,)
