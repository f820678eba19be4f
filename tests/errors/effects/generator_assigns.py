def f(x):
    for y in ((last := z) for z in (1, 2, 3)):
        if y > x:
            break
    return last


ARGS = (2,)
