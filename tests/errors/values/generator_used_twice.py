def f(n):
    squares = (i * i for i in range(n))
    total = sum(squares)
    for x in squares:
        total += x
    return total


ARGS = (5,)
