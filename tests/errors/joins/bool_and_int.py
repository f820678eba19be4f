def f(x):
    if x > 0:
        y = True
    else:
        y = x + 1
    return y


ARGS = (1,)
