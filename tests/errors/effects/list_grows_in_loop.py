squares = []


def f(n):
    while n > 0:
        squares.append(n * n)
        n = n - 1
    return n


ARGS = (3,)
