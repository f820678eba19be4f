def f(x):
    if x > 0:
        return x, True
    return x, x


ARGS = (1,)
