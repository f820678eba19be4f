def f(x):
    y = (True
         if x > 0 else
         x + 1)
    return y


ARGS = (1,)
