import autograph


@autograph.do_not_convert
def helper(items):
    return len(items)


def f(n):
    items = []
    for i in range(n):
        items.append(i)
    return helper(items)


ARGS = (3,)
