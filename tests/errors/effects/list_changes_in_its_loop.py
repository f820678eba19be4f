def f(n):
    items = []
    for i in range(n):
        items.append(i)
    for item in items:
        if item > 2:
            items.append(item)
    return items


ARGS = (3,)
