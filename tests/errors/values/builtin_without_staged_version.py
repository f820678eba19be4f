def f(x):
    return sorted(x)


ARGS = (5,)
