class Box:
    pass


def f(x):
    box = Box()
    if x > 0:
        box.value = x
    return x


ARGS = (3,)
