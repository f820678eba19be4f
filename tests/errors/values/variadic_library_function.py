import os.path


def f(n):
    parts = []
    for i in range(n):
        parts.append(i)
    return os.path.join("a", *parts)


ARGS = (3,)
