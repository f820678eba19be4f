from contextvars import copy_context

CONTEXT = copy_context()


def size(pair):
    number, limit = pair
    if number > limit:
        return 1
    return 0


def f(x):
    return CONTEXT.run(size, (1, x))


ARGS = (1,)
