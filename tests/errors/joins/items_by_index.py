def f(i):
    items = [1, "two", (3, 4)]
    return items[i]


ARGS = (1,)
