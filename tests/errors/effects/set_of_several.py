def f(x):
    groups = [set(), set()]
    groups[x].add(1)
    return len(groups[0])


ARGS = (1,)
