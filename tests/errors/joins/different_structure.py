def f(x):
    if x > 0:
        return x, 1
    return x, "one", 2


ARGS = (1,)
