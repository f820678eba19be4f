namespace = {}
exec("def sign(x):\n    return 1 if x > 0 else -1\n", namespace)
sign = namespace["sign"]


def f(x):
    return sign(x)


ARGS = (1,)
