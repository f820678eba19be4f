def f(x):
    numbers = iter([4, 5, 6])
    total = next(numbers)
    while x > 0:
        total += next(numbers)
        x -= 1
    return total


ARGS = (2,)
