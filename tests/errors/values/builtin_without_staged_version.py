def f(x):
    return round(x)


ARGS = (5,)
