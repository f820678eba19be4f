def squares():
    k = 0
    while True:
        k += 1
        yield k * k


def f(x):
    pairs = zip("abc", squares())
    total = 0
    if x > 0:
        total = next(pairs)[1]
    return total


ARGS = (2,)
