def f(x):
    items = [0]
    while x > 0:
        items = items + [x]
        x = x - 1
    return items


ARGS = (3,)
