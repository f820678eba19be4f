"""Programs that sort, search, compare and repeat lists of staged length."""


def sorted_in_place(n):
    marks = []
    for i in range(n):
        marks.append(i * 7 % 5)
    marks.sort()
    backwards = marks.copy()
    backwards.reverse()
    return [*marks, 0], [-1, *backwards]


def sorted_by_key(n):
    pairs = []
    for i in range(n):
        pairs.append((i * 7 % 5, i))
    pairs.sort(key=lambda pair: -pair[0] % 3, reverse=True)
    return [pair[1] for pair in pairs]


def sorted_rows(n):
    pairs = [(2, 3)]
    for i in range(n):
        pairs.append((i % 2, -i))
    pairs.sort()
    return pairs[0]


def found_and_counted(n):
    items = [1]
    for i in range(n):
        items.append(i % 2)
    return items.index(1), items.index(1, 1), items.index(0, -2), items.count(1)


def removed(n):
    items = []
    for i in range(n):
        items.append(i * 2)
    items.remove(2)
    return items


def equal_lists(n):
    items, others = [], []
    for i in range(n):
        items.append(i)
        others.append(i)
    if items == [0, 1]:
        others.append(7)
    return items == others, items != others, [] == items


def equal_rows(n):
    items = [(1, 2)]
    for i in range(n):
        items.append((i, i))
    return items == [(1, 2), (0, 0)], items.count((1, 1))


def repeated(n):
    total = 0
    for i in range(n):
        items = [i] * i
        items.append(2)
        total += sum(items) * len(items)
    return total


def repeated_itself(n):
    items = [1, 2]
    for i in range(n):
        items = items * 2
    return len(items)


def texts_joined(n):
    texts = []
    for i in range(n):
        texts.append(str(i))
    return ",".join(texts)


CASES = [
    (sorted_in_place, [(4,), (0,), (1,)]),
    (sorted_by_key, [(6,), (0,), (1,)]),
    (sorted_rows, [(4,), (0,)]),
    (found_and_counted, [(4,), (3,), (0,)]),
    (removed, [(4,), (2,), (0,)]),
    (equal_lists, [(0,), (2,), (3,)]),
    (equal_rows, [(0,), (1,), (3,)]),
    (repeated, [(0,), (4,)]),
    (repeated_itself, [(0,), (3,)]),
    (texts_joined, [(0,), (1,), (3,)]),
]
