def f(n):
    total = 0
    while (n := n - 1) > 0:
        total = total + n
    return total


ARGS = (3,)
