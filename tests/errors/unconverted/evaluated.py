def f(x):
    y = 0
    if x > 0:
        y = eval("x + 1")
    return y


ARGS = (1,)
