def f(n):
    found = "no"
    if n > 100:
        n = n - 1
    while n > 0:
        if n > 5:
            found = n
        n = n - 1
    return found


ARGS = (1,)
