def f(x):
    if x > 0:
        kind = object()
    else:
        kind = 2
    return kind


ARGS = (1,)
