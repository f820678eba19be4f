def f(n):
    rows = []
    for i in range(n):
        rows.append({"i": i})
    return rows


ARGS = (3,)
