def numbers():
    n = 0
    while True:
        yield n
        n += 1


def f(x):
    endless = numbers()
    for n in endless:
        if n > x:
            break
    return n + next(endless)


ARGS = (3,)
