def f(x):
    try:
        if x > 0:
            raise ValueError("positive")
        y = 1
    except* ValueError:
        y = 2
    return y


ARGS = (1,)
