BEFORE = [1, 2]


def f(x):
    items = BEFORE
    if x > 0:
        items = [x]
    items.append(5)
    return len(items)


ARGS = (3,)
