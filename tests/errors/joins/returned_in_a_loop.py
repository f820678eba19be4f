def f(x):
    while x > 0:
        for y in range(x):
            if y > 3:
                return y
        if x > 7:
            return "large"
        x = x - 1
    return x


ARGS = (1,)
