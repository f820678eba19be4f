SEEN = set()


def remember(x):
    SEEN.add("x")
    return x


def f(x):
    if x > 0:
        x = remember(x)
    return x


ARGS = (3,)
