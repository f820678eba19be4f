def f(n):
    rows = []
    for i in range(n):
        rows.append([i, 1])
    while len(rows) > 2:
        rows = [tuple([n] * n)]
    return rows


ARGS = (3,)
