"""Programs about lists that grow and shrink on staged paths."""


def append_in_loop(n):
    squares = []
    for i in range(n):
        squares.append(i * i)
    return squares


def append_in_while(n):
    items = []
    while n > 0:
        items.append(n)
        n -= 1
    return items, len(items)


def append_in_branch(x):
    items = [1]
    if x > 0:
        items.append(x)
    return items


def append_then_read(n):
    items = [7]
    for i in range(n):
        items.append(i)
    return len(items) * 100 + items[0] * 10 + items[-1]


def append_out_of_range(n):
    items = []
    for i in range(n):
        items.append(i)
    return items[2]


def fibonacci(n):
    numbers = [0, 1]
    for i in range(2, n):
        numbers.append(numbers[i - 1] + numbers[i - 2])
    return numbers


def stack_machine(n):
    stack = [n]
    total = 0
    while stack:
        k = stack.pop()
        total += k
        if k > 1:
            stack.append(k - 1)
            stack.append(k - 2)
    return total


def pop_from_empty(x):
    items = []
    if x > 0:
        items.append(x)
    return items.pop()


def pop_by_index(i):
    items = [1, 2, 3]
    last = items.pop(i)
    return last, items


def pop_first(n):
    queue = [1, 2, 3]
    total = 0
    for _ in range(n):
        total = total * 10 + queue.pop(0)
    return total, len(queue)


def insert_and_delete(n):
    items = []
    for i in range(n):
        items.insert(0, i)
    items.insert(1, 50)
    del items[0]
    items[0] += 1
    return items


def insert_by_index(i):
    items = [1, 2, 3]
    items.insert(i, 9)
    return items


def concatenate(n):
    items = [0]
    for i in range(n):
        items = items + [i]
    return items


def extend_in_place(n):
    items = [0]
    same = items
    for i in range(n):
        items += [i, i]
    return same, items[1:], items[::-1]


def concatenate_two(n):
    left, right = [1], []
    for i in range(n):
        left.append(i)
        right.append(-i)
    both = left + right
    left.extend(right)
    both.append(4)
    return left, both, len(right)


def iterate(n):
    items = []
    for i in range(n):
        items.append(i + 1)
    total = 0
    for item in items:
        if item == 3:
            break
        total = total * 10 + item
    return total


def pairs(n):
    items = []
    for i in range(n):
        items.append((i, i * 0.5))
    total = 0.0
    for i, half in items:
        total = total + i * half
    return items, total


def triangle(n):
    rows = []
    for i in range(n):
        row = []
        for j in range(i):
            row.append(j)
        rows.append(row)
    return rows


def collect(items, x):
    items.append(x)
    return items


def appended_by_call(n):
    items = []
    for i in range(n):
        collect(items, i)
    return items


class Recorder:
    """Keeps what it is told."""

    def __init__(self, seen):
        self.seen = seen

    def record(self, x):
        self.seen.append(x)


def appended_by_method(n):
    seen = []
    recorder = Recorder(seen)
    for i in range(n):
        recorder.record(i)
    return seen, len(recorder.seen)


def appended_in_dict(n):
    table = {"odd": [], "even": []}
    for i in range(n):
        if i % 2 == 0:
            table["even"].append(i)
        else:
            table["odd"].append(i)
    return table["odd"], table["even"]


def two_names(n):
    items = []
    other = items
    for i in range(n):
        items.append(i)
    other.append(9)
    return items, other


def copies(n):
    items = [1]
    for i in range(n):
        items.append(i)
    other = items.copy()
    third = list(items)
    items[0] = 7
    items.clear()
    other.append(5)
    return items, other, third


def break_early(n):
    items = []
    for i in range(n):
        if i == 2:
            break
        items.append(i)
    return items


def return_early(n):
    items = []
    for i in range(n):
        items.append(i)
        if i == 2:
            return items
    items.append(-1)
    return items


def append_after_break(n):
    items = []
    for i in (1, 2, 3):
        if i > n:
            break
        items.append(i)
    items.append(n)
    return items


def mixed_numbers(n):
    items = [0.5]
    for i in range(n):
        items.append(i * 1.0)
    if n > 2:
        items.append(1.5)
    return items


def grow_twice(n):
    items = []
    for i in range(n):
        items.append(i)
    for i in range(n):
        items.append(10 * i)
        if items[0] > 5:
            items.pop()
    return items


def truth(n):
    items = []
    for i in range(n):
        items.append(i)
    if items:
        n = n + 100
    if not items:
        n = n - 100
    return n


def list_in_both_branches(x):
    if x > 0:
        items = [x, 1]
    else:
        items = []
    items.append(2)
    return items


def cleared_in_branch(n):
    items = [1, 2]
    if n > 0:
        items.clear()
    items.append(3)
    return items, len(items)


def assign_slice(n):
    items = []
    for i in range(n):
        items.append(i)
    items[1:2] = [7, 8, 9]
    return items


def left_undefined(x):
    if x > 0:
        items = [1]
        items.append(x)
    return items


def none_or_list(n):
    items = None
    for i in range(n):
        if items is None:
            items = []
        items.append(i)
    if items is None:
        return -1
    return len(items)


def another_list_in_branch(x):
    items = [1]
    if x > 0:
        items = [*items, x]
    items.append(5)
    return items


def read_two_names(x):
    items = [1]
    same = items
    if x > 0:
        items = items + [x]
    return items, same, len(items)


def slices_by_index(n):
    items = [1, 2, 3, 4]
    return items[n:], items[:n], len(items[n:])


def one_list_twice(n):
    items = [0]
    same = items
    for i in range(n):
        items = items + [i]
        same = items
    return items, same, len(same)


CASES = [
    (one_list_twice, [(2,), (0,)]),
    (another_list_in_branch, [(2,), (-2,)]),
    (read_two_names, [(2,), (-2,)]),
    (slices_by_index, [(1,), (-1,), (9,)]),
    (append_in_loop, [(3,), (0,)]),
    (append_in_while, [(3,), (0,)]),
    (append_in_branch, [(3,), (-3,)]),
    (append_then_read, [(3,), (0,)]),
    (append_out_of_range, [(3,), (2,)]),
    (fibonacci, [(7,), (1,)]),
    (stack_machine, [(4,), (0,)]),
    (pop_from_empty, [(3,), (-3,)]),
    (pop_by_index, [(0,), (-1,), (3,)]),
    (pop_first, [(2,), (0,), (4,)]),
    (insert_and_delete, [(3,), (0,)]),
    (insert_by_index, [(1,), (-1,), (9,)]),
    (concatenate, [(3,), (0,)]),
    (extend_in_place, [(2,), (0,)]),
    (concatenate_two, [(2,), (0,)]),
    (iterate, [(2,), (4,), (0,)]),
    (pairs, [(3,), (0,)]),
    (triangle, [(3,), (0,)]),
    (appended_by_call, [(3,), (0,)]),
    (appended_by_method, [(3,), (0,)]),
    (appended_in_dict, [(5,), (0,)]),
    (two_names, [(2,), (0,)]),
    (copies, [(2,), (0,)]),
    (break_early, [(1,), (5,)]),
    (return_early, [(2,), (5,)]),
    (append_after_break, [(0,), (2,), (9,)]),
    (mixed_numbers, [(1,), (3,)]),
    (grow_twice, [(2,), (0,)]),
    (truth, [(2,), (0,)]),
    (list_in_both_branches, [(2,), (-2,)]),
    (cleared_in_branch, [(2,), (-2,)]),
    (assign_slice, [(3,), (0,)]),
    (left_undefined, [(2,), (-2,)]),
    (none_or_list, [(2,), (0,)]),
]
