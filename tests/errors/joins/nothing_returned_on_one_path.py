def f(x):
    for i in range(x):
        if i > 2:
            return i


ARGS = (5,)
