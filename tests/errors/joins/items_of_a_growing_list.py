def f(x):
    items = ["start"]
    while x > 0:
        items.append(x)
        x = x - 1
    return items


ARGS = (3,)
