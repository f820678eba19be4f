def f(x):
    if x > 10:
        y = x
    elif x > 5:
        y = (x, x)
    else:
        y = 0
    return y


ARGS = (1,)
