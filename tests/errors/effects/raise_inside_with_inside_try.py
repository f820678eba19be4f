import contextlib


def f(x):
    try:
        with contextlib.nullcontext():
            if x > 0:
                raise ValueError("positive")
        y = 1
    except* ValueError:
        y = 2
    return y


ARGS = (1,)
