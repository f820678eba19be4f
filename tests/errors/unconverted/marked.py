import autograph


@autograph.do_not_convert
def check(x):
    return 1 if x > 0 else 0


def f(x):
    return check(x)


ARGS = (1,)
