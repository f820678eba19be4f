def f(x):
    items = [1, 2, 3]
    if x > 0:
        items.pop()
    return len(items)


ARGS = (3,)
