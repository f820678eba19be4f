def f(x):
    for y in range(x):
        if y > 3:
            kind = y
            break
    else:
        kind = "none"
    return kind


ARGS = (1,)
