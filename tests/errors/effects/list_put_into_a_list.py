def f(n):
    rows, row = [], []
    for i in range(n):
        rows.append(row)
    row.append(1)
    return rows


ARGS = (3,)
