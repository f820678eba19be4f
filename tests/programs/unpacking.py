"""Programs that unpack values of which only the run knows the number of items."""

ONLY = "tensors"


def numbers(n):
    made = []
    for i in range(n):
        made.append(i * 3 % 7)
    return made


def to_two_names(n):
    a, b = numbers(n)
    return a - b


def to_items(n):
    items = numbers(n)
    items[0], items[1] = items
    return items


def of_rows(n):
    rows = [[x, x + 1] for x in numbers(n)]
    total = 0
    for a, b in rows:
        total += a * b
    return total, [a - b for a, b in rows], [k + a for k, (a, b) in enumerate(rows)]


def of_rows_of_any_length(n):
    rows = [numbers(2), numbers(n)]
    total = 0
    for a, b in rows:
        total = total * 10 + a - b
    return total


def inside_others(n):
    (a, b), c = numbers(n), n
    return a, b, c


def of_iterators(n):
    a, b = map(lambda k: k + 1, numbers(n))
    c, d = (k * 2 for k in numbers(n) if k != 5)
    return a, b, c, d


def caught(n):
    try:
        a, b = numbers(n)
    except ValueError:
        return -1
    return a + b


CASES = [
    (function, [(2,), (0,), (1,), (3,)])
    for function in (
        to_two_names, to_items, of_rows, of_rows_of_any_length, inside_others, of_iterators, caught
    )
]
