items = [1, 2, 3]


def f(x):
    if x > 0:
        items.pop()
    return len(items)


ARGS = (3,)
