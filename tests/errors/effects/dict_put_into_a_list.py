def f(x):
    counts, table = {"k": 0}, []
    for _ in range(x):
        table.append(counts)
    counts["k"] = 1
    return len(table)


ARGS = (3,)
