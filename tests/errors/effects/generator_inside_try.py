def items():
    try:
        yield 1
        yield 2
    finally:
        str("done")


def f(x):
    for y in items():
        if y > x:
            return y
    return 0


ARGS = (2,)
