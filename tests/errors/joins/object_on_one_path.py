def f(x):
    if x > 0:
        kind = int
    else:
        kind = float
    return kind


ARGS = (1,)
