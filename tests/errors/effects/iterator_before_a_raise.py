def f(x):
    numbers = iter([4, 5, 6])
    if x > 5:
        raise ValueError(next(numbers))
    return next(numbers)


ARGS = (2,)
