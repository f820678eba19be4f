def f(x):
    return x > 0 and int


ARGS = (1,)
