def f(x):
    if x > 0:
        kind = object()
    else:
        kind = object()
    return kind


ARGS = (1,)
