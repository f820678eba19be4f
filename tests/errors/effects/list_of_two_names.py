def f(x):
    items = [1]
    same = items
    if x > 0:
        items = items + [x]
    items.append(5)
    return len(same)


ARGS = (3,)
