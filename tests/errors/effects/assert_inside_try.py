def check(x):
    assert x > 0


def f(x):
    y = 1
    try:
        check(x)
    except* AssertionError:
        y = 2
    return y


ARGS = (1,)
