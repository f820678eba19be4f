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
]
