import autograph


def helper(x):
    if x > 0:
        return 1
    return 0


@autograph.do_not_convert
def outer(x):
    return helper(x)


def f(x):
    y = x + 1
    return outer(y)


ARGS = (1,)
