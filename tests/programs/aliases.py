"""Programs in which two names may mean one list or dict, on some staged path."""


def returned_before_a_finally_changes_it(n):
    log = []
    try:
        log.append(1)
        if n < 0:
            return log
        log.append(2)
    finally:
        log.append(9)
    return log


def handed_out_before_the_other_path_changes_it(n):
    d, found = [1], None
    if n > 0:
        found = d
    else:
        d[0] = 3
    return 0 if found is None else found[0]


def grown_on_the_other_path(n):
    d = [1]
    if n > 0:
        r = (d, 2)
    else:
        d.append(5)
        r = ([1, 5, 6], 2)
    return len(r[0])


def found_and_changed_later(n):
    log, found = [0], None
    if n > 0:
        found = log
    log.append(5)
    return len(found) if found is not None else -1


def method_that_gives_its_list(n):
    log = [0]

    def add():
        log.append(n)
        return log

    try:
        if n > 0:
            return add()
    finally:
        log.append(3)
    return log


def dict_changed_after_it_was_returned(n):
    def give():
        box = {"v": 1}
        try:
            if n > 0:
                return box
            return {"v": 7}
        finally:
            box["v"] = n

    return give()["v"]


def one_of_two_dicts_is_read(n):
    d, r = {"k": 1}, {"k": 2}
    if n > 0:
        r = d
    d["k"] = n * 10
    return r["k"] * 100 + d["k"]


def one_of_two_dicts_is_changed(n):
    d, r = {"k": 1, "j": 0}, {"k": 2, "j": 0}
    if n > 0:
        r = d
    r["k"] = n * 10
    r.update(j=5)
    return d["k"] * 100 + d["j"] * 10 + r["j"]


def dicts_swapped_and_changed(n):
    a, b = {"v": 1}, {"v": 2}
    if n > 0:
        a, b = b, a
    a["v"] = 5
    return a["v"] * 10 + b["v"]


def dict_bound_anew_in_turns(n):
    d = {"a": 1}
    first = d
    for i in range(n):
        if i > 1:
            d = {"a": i}
        d["a"] += 1
    return d["a"] * 100 + first["a"]


def dict_of_an_inner_path(n):
    d, r = {"a": 1}, {"a": 5}
    if n > 0:
        q = {"a": 6}
        if n > 1:
            q = d
        r = q
    d["a"] = 2
    while n > 3:
        r["a"] += 1
        n -= 1
    return r["a"] * 10 + d["a"]


def dict_chosen_in_a_loop(n):
    a, b, total = {"v": 1}, {"v": 10}, 0
    for i in range(4):
        c = a
        if i % 2 == n:
            c = b
        c["v"] = c["v"] + i
        total = total * 2 + a["v"]
    return total, a["v"], b["v"]


def dict_with_a_list(n):
    s = {"x": 0, "y": [1]}
    if n > 0:
        if n > 1:
            s = {"x": n, "y": [2]}
        s["x"] += 1
    s["y"].append(3)
    return s["x"] * 10 + sum(s["y"])


def text_of_a_list_with_another_name(n):
    found, text = [3, 1], ""
    other = None
    for i in range(n):
        if i > 0:
            other = found
        text += f"{other}:{found};"
        found.reverse()
    d, e = {"k": n}, {"k": n + 1}
    if n > 1:
        e = d
    d["k"] = n * 2
    return f"{text}{d}{e}"


def changed_after_one_path_bound_a_new_list(n):
    items = [1]
    same = items
    if n > 0:
        items = items + [n]
    items.append(5)
    return len(same), items[-1]


def key_added_to_one_of_two_dicts(n):
    first, last = {"a": 1}, {"a": 2}
    if n > 1:
        last = first
    last["b"] = n
    return first["a"], len(first), last["b"]


def list_that_a_loop_breaks_with(n):
    log = [0]
    for i in range(3):
        if i == n:
            last = log
            break
    else:
        last = [8]
    log.append(5)
    return last[0], len(last)


def row_that_grew_before_its_list_is_joined(n):
    rows = [1, [2]]
    if n > 0:
        rows[1].append(n)
        last = rows
    else:
        rows[1] = [n]
        last = [0, [n, n]]
    return rows, last


def list_that_a_loop_copies_in_turns(n):
    x = [1]
    u = x
    for _ in range(n):
        u = list(x) if u is x else x
    return u is x


def dict_with_two_names_that_a_loop_parts(n):
    first = last = {"a": 1}
    for k in range(n):
        last = {"a": k}
    last["b"] = n
    return first["a"], len(first), len(last)


def list_with_two_names_that_a_loop_parts(n):
    first = last = [0]
    for k in range(n):
        last = [k]
    last.append(5)
    return len(first), len(last), last[0]


INPUTS = [(-1,), (0,), (1,), (2,), (5,)]
CASES = [
    (program, INPUTS)
    for program in (
        returned_before_a_finally_changes_it, handed_out_before_the_other_path_changes_it,
        grown_on_the_other_path, found_and_changed_later, method_that_gives_its_list,
        dict_changed_after_it_was_returned, one_of_two_dicts_is_read, one_of_two_dicts_is_changed,
        dicts_swapped_and_changed, dict_bound_anew_in_turns, dict_of_an_inner_path,
        dict_chosen_in_a_loop, dict_with_a_list, text_of_a_list_with_another_name,
        changed_after_one_path_bound_a_new_list, key_added_to_one_of_two_dicts,
        list_that_a_loop_breaks_with, row_that_grew_before_its_list_is_joined,
        list_that_a_loop_copies_in_turns, dict_with_two_names_that_a_loop_parts,
        list_with_two_names_that_a_loop_parts,
    )
]  # fmt: skip
