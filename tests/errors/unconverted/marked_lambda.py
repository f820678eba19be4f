import autograph

sign = autograph.do_not_convert(lambda x: 1 if x > 0 else -1)


def f(x):
    return sign(x)


ARGS = (1,)
