def f(x):
    if x > 0:
        return x, 1
    return x, 1, 2


ARGS = (1,)
