def fact(n):
    if n <= 1:
        return 1
    return n * fact(n - 1)


def f(x):
    return fact(x)


ARGS = (3,)
