import operator


def f(x):
    return operator.truth(x)


ARGS = (1,)
