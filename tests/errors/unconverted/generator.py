def steps(x):
    for i in range(3):
        if x > i:
            got = yield i
            print(got)


def f(x):
    total = 0
    for step in steps(x):
        total += step
    return total


ARGS = (1,)
