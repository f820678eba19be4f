def f(n):
    squares = []
    while n > 0:
        squares.append(n * n)
        n = n - 1
    return squares


ARGS = (3,)
