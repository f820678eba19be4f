def f(x):
    best = None
    if x > 0:
        best = x
    return best


ARGS = (1,)
