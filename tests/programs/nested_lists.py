"""Programs that change the lists in a list of staged length, by methods and by another name."""


def grid(n):
    rows = []
    for i in range(n):
        row = []
        for j in range(n):
            row.append(10 * i + j)
        rows.append(row)
    return rows


def neighbours(n):
    graph = [[] for _ in range(n)]
    for i in range(1, n):
        graph[i].append(i - 1)
        graph[i - 1].append(i)
    return graph


def searched_in_depth(n):
    graph = neighbours(n)
    seen, waiting, order = [False] * n, [0], []
    while waiting:
        node = waiting.pop()
        if not seen[node]:
            seen[node] = True
            order.append(node)
            for other in graph[node]:
                waiting.append(other)
    return order


def moved_between(n):
    pegs = [[] for _ in range(n + 2)]
    for i in range(n, 0, -1):
        pegs[0].append(i)
    pegs[n].append(pegs[0].pop())
    return pegs


def many_methods(n):
    rows = grid(n)
    rows[0].sort(reverse=True)
    rows[0].extend(rows[n - 1])
    rows[n - 1].reverse()
    rows[n - 1].insert(0, 7)
    rows[0] += [3]
    del rows[0][0]
    return rows, rows[n - 1].pop(), len(rows[0])


def by_another_name(n):
    rows = grid(n)
    row = rows[n - 1]
    row[0] = 100
    return rows


def in_a_loop_over_the_rows(n):
    rows = grid(n)
    for row in rows:
        row.append(row[0])
    return rows


def lengthen(row, item):
    row.append(item)


def in_a_branch_of_a_call(n):
    rows = grid(n)
    for i in range(n):
        if i % 2 == 1:
            lengthen(rows[i], i)
    first = rows[0]
    if n > 2:
        first.append(5)
    return rows


def searched_for_a_list(n):
    rows = grid(n)
    return [n] in rows, rows[0] not in rows, rows.count(rows[n - 1]), rows.index(rows[n - 1])


def repeated(n):
    rows = [[n, 1]] * n
    rows[0] = [5, n]
    return [sum(row) for row in rows], len(rows)


def in_buckets(n):
    buckets = [[] for _ in range(3)]
    for i in range(n):
        buckets[i % 3].append(i * n)
    return buckets, [len(b) for b in buckets]


def one_of_several(n):
    rows = [[1, 2], [3, 8], [4, 5, 6]]
    x = rows[n % 3].pop()
    rows[n % 2].extend([x, n])
    rows[n % 2].reverse()
    rows[(n + 1) % 2].insert(0, n)
    rows[n % 2][0] = 7
    return rows, x


def one_of_several_by_name(n):
    a, b = [1], [2]
    row = (a, b)[n % 2]
    first = row[0]
    row.append(5)
    row.append(6)
    lengthen([a, b][(n + 1) % 2], n)
    return a, b, first


def one_of_several_that_are_one(n):
    a = [1]
    rows = [a, a]
    rows[n % 2].append(3)
    return a


def sent_round(n):
    pegs = [[1, 2, 3], [4], [5]]
    for k in range(n):
        if k < 3:
            pegs[(k + 1) % 3].append(pegs[k % 3].pop())
    return pegs


class Graph:
    def __init__(self):
        self.neighbours = [[] for _ in range(4)]

    def add(self, u, v):
        self.neighbours[u].append(v)
        self.neighbours[v].append(u)


def in_an_attribute(n):
    graph = Graph()
    for i in range(n):
        graph.add(i, (i * 2) % 4)
    return graph.neighbours


def grown_by_its_name(n):
    rows = [[i, 2] for i in range(n + 1)]
    row = rows[n // 2]
    row.append(1)
    row[n % 2] = 7
    row.append(len(row))
    return rows, row


def changed_in_both_branches(n):
    rows = [[i, 2] for i in range(n + 1)]
    row = rows[n // 2]
    if n > 2:
        row[0] = 7
    else:
        row.append(5)
    return rows, row


def changed_by_two_names(n):
    rows = [[i] for i in range(n + 2)]
    first, last, again = rows[0], rows[n], rows[0]
    again.append(1)
    last.append(2)
    if n > 1:
        first.append(3)
    return rows


def chosen_and_changed_in_a_branch(n):
    rows = [[1], [2]]
    row = rows[n % 2]
    if n > 2:
        row.append(7)
    return rows


def grown_in_a_loop_over_the_rows(n):
    rows = [[i] for i in range(n + 1)]
    for row in rows:
        row.append(1)
        row.append(len(row))
    return rows


def taken_out_and_put_back(n):
    rows = [[i] for i in range(n + 2)]
    row = rows.pop()
    row.append(5)
    rows.append(row)
    return rows, row


NUMBERS = [(1,), (2,), (4,)]
CASES = [
    (neighbours, NUMBERS),
    (searched_in_depth, NUMBERS),
    (moved_between, NUMBERS),
    (many_methods, NUMBERS),
    (by_another_name, NUMBERS),
    (in_a_loop_over_the_rows, NUMBERS),
    (in_a_branch_of_a_call, NUMBERS),
    (searched_for_a_list, NUMBERS[1:]),
    (repeated, NUMBERS[1:]),
    (in_buckets, NUMBERS),
    (one_of_several, NUMBERS),
    (one_of_several_by_name, NUMBERS),
    (one_of_several_that_are_one, NUMBERS),
    (sent_round, NUMBERS),
    (in_an_attribute, NUMBERS),
    (grown_by_its_name, NUMBERS),
    (changed_in_both_branches, NUMBERS),
    (changed_by_two_names, NUMBERS),
    (chosen_and_changed_in_a_branch, NUMBERS),
    (grown_in_a_loop_over_the_rows, NUMBERS),
    (taken_out_and_put_back, NUMBERS),
]
