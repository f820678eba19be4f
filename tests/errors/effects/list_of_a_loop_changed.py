def f(x):
    log = [0]
    for i in range(3):
        if i == x:
            found = log
            break
    else:
        found = [8]
    log.append(5)
    return found[0]


ARGS = (2,)
