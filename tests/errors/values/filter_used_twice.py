def f(x):
    large = filter(lambda n: n > x, [1, 5, 2, 7])
    return next(large) + next(large)


ARGS = (3,)
