def f(x):
    while x > 0:
        try:
            if x > 3:
                return x
            if x > 2:
                return x, x
        finally:
            x = x - 1
    return x


ARGS = (1,)
