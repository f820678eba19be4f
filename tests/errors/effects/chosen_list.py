def f(i):
    rows = [[1, 2], [3, 4]]
    row = rows[i]
    row.append(5)
    return len(row)


ARGS = (1,)
