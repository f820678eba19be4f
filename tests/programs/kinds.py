"""Programs that ask what kind of value they have."""


def item_of_a_range(n):
    found = 0
    for i in range(n):
        if isinstance(i, int):
            found += 1
        if type(i) is int:
            found += 10
        if isinstance(i, (str, float)):
            found += 100
        if hasattr(i, "bit_length") and not callable(i):
            found += 1000
    return found


def none_or_number(n):
    x = n if n > 1 else None
    return isinstance(x, type(None))


def none_or_function(n):
    f = abs if n > 1 else None
    return callable(f), hasattr(f, "__name__")


def tested_for_its_kind(n):
    x = n if n > 1 else None
    f = abs if n > 2 else None
    found = 0
    if isinstance(x, type(None)):
        found = 1
    if not callable(f):
        return found, -1
    return found, f(-n)


def type_of_none(n):
    x = None
    if n > 1:
        x = 2.5
    return 1 if type(x) is type(None) else 2


CASES = [
    (function, [(0,), (1,), (3,)])
    for function in (
        item_of_a_range, none_or_number, none_or_function, tested_for_its_kind, type_of_none,
    )
]
