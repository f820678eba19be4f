import autograph


def sign(x):
    if x > 0:
        return 1
    return -1


def twice(x):
    return sign(x) + sign(x)


f = autograph.to_graph(twice, recursive=False)
ARGS = (1,)
