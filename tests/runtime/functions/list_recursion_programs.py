"""Functions of lists that call themselves: the lists are others in each call, or change places."""


def merged(xs, ys):
    if not xs:
        return ys
    if not ys:
        return xs
    if xs[0] < ys[0]:
        return [xs[0]] + merged(xs[1:], ys)
    return [ys[0]] + merged(xs, ys[1:])


def merge_sort(xs):
    if len(xs) < 2:
        return xs
    middle = len(xs) // 2
    return merged(merge_sort(xs[:middle]), merge_sort(xs[middle:]))


def subsets(xs):
    if not xs:
        return [[]]
    rest = subsets(xs[1:])
    return rest + [[xs[0]] + one for one in rest]


def doubled_with_sum(xs):
    if not xs:
        return [], 0
    rest, total = doubled_with_sum(xs[1:])
    return [xs[0] * 2] + rest, xs[0] + total


def move(n, source, spare, target):
    if n == 0:
        return
    move(n - 1, source, target, spare)
    target.append(source.pop())
    move(n - 1, spare, source, target)


def towers_of_hanoi(source, spare, target):
    move(len(source), source, spare, target)
    return source, target


def dealt(n, xs, ys):
    if n > 0:
        xs.append(n)
        dealt(n - 1, ys, xs)


def dealt_to_one_by_two_names(n):
    xs, ys = [], []
    dealt(n, xs, ys)
    dealt(n, xs, xs)
    return xs, ys


LISTS = [([3, 1, 2],), ([],), ([4, 4, -1, 5],)]
CASES = [
    (merge_sort, LISTS),
    (subsets, LISTS),
    (doubled_with_sum, LISTS),
    (towers_of_hanoi, [([3, 2, 1], [], []), ([1], [5], [6])]),
    (dealt_to_one_by_two_names, [(3,), (0,)]),
]
