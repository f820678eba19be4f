def f(x):
    first = last = [0]
    for i in range(x):
        last = [i]
    last.append(5)
    return len(first)


ARGS = (3,)
