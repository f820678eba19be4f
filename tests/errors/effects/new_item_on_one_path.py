TABLE = {}


def f(x):
    if x > 0:
        TABLE["k"] = x
    return x


ARGS = (1,)
