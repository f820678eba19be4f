def f(n):
    items = [0]
    same = items
    for i in range(n):
        items = items + [i]
        same = items
    items.append(5)
    return len(same)


ARGS = (3,)
