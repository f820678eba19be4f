"""Programs that make two names of one list, dict, set or object on some staged path."""


class Box:
    def __init__(self, p):
        self.p = p


def pick(one, other, n):
    return one if n > 1 else other


def chosen_from_what_a_loop_rebinds(n):
    x, u, w = [1, 2], [3, 4], [7, 8]
    if n > 0:
        for _ in range(n):
            x = list(x)
        w = pick(w, x, n)
    else:
        x = u[:]
    x[0] += 100
    return w[0], x[0], u[0]


def chosen_twice(n):
    x, w, z = [1], [7], [[4], [5]]
    if n < 3:
        z[0] = pick(pick(z[1], z[0], n), x, n)
        w = x
    z[1][0] += 100
    return w[0], x[0], z[0][0], z[1][0]


def list_in_a_list(n):
    if n > 0:
        y = [n]
        t = [y, [1]]
    else:
        y, t = [2], [[5], [4]]
    y[0] += 100
    return t[0][0], y[0]


def list_in_a_tuple(n):
    if n > 0:
        y = [n]
        t = (y, 1)
    else:
        y, t = [2], ([4], 2)
    y[0] += 100
    return t[0][0], y[0]


def list_in_a_dict(n):
    if n > 0:
        y = [n]
        d = {"k": y}
    else:
        y, d = [2], {"k": [5]}
    y[0] += 100
    return d["k"][0], y[0]


def list_in_an_object(n):
    if n > 0:
        y = [n]
        b = Box(y)
    else:
        y, b = [2], Box([n])
    y[0] += 100
    return b.p[0], y[0]


def list_or_none(n):
    y = z = None
    if n > 0:
        y = [n]
        z = y
    if y is not None:
        y[0] += 100
    return -1 if z is None else z[0]


def list_that_grows(n):
    if n > 0:
        s = [n]
        t = s
    else:
        s, t = [1, 2], [3]
    s.append(n)
    return len(s), len(t)


def returned_twice(n):
    def made():
        if n > 1:
            x = [n]
            return x, x
        return [n], [4]

    y, z = made()
    y[0] += 100
    return z[0]


def new_dict(n):
    if n > 0:
        d = {"k": n}
        e = d
    else:
        d, e = {"k": 2}, {"k": 3}
    d["k"] += 100
    return d["k"], e["k"]


def new_dict_of_several(n):
    if n > 0:
        a, b = {"k": n}, {"k": 0}
        d, e = a if n > 1 else b, a
    else:
        d, e = {"k": 2}, {"k": 3}
    d["k"] += 100
    return d["k"], e["k"]


def new_set(n):
    if n > 0:
        s = {1, 2}
        t = s
    else:
        s, t = {1}, {2}
    s.add(5)
    return len(s), len(t)


def new_object(n):
    if n > 0:
        b = Box(n)
        c = b
    else:
        b, c = Box(3), Box(n)
    b.p += 100
    return b.p, c.p


def older_object_that_changes(n):
    x = Box(n)
    u = x if n > 1 else Box(n + 1)
    x.p += 100
    return x.p, u.p


def object_changes_that_may_be_an_older_one(n):
    x = Box(n)
    u = x if n > 1 else Box(n + 1)
    u.p += 100
    return x.p, u.p


def object_of_a_loop(n):
    x = Box(n)
    u = x
    for i in range(n):
        u = Box(n + i)
    x.p += 100
    return x.p, u.p


def best_object(n):
    p = Box(n)
    b = p
    for _ in range(n):
        p = Box(p.p * 3 % 7)
        if p.p > b.p:
            b = p
        p.p -= 1
    return p.p, b.p


def object_in_a_list(n):
    x = Box(n)
    t = [x] if n > 0 else [Box(n + 1)]
    t[0].p += 100
    return t[0].p, x.p


def object_of_a_choice_and_of_attributes(n):
    a = Box(1)
    if n > 0:
        b = Box(2)
        u, v = b, b
    else:
        u, v = a, Box(n)
    u.p += 100
    return u.p, v.p, a.p


def object_is_object(n):
    x = Box(n)
    u = x if n > 1 else Box(n + 1)
    return u is x


REFUSED = [value for value in list(globals().values()) if getattr(value, "__name__", "") not in
           ("Box", "pick") and callable(value)]  # fmt: skip


def object_reset_in_a_loop(n):
    s = Box(n)
    for i in range(n):
        if s.p > 3:
            s = Box(i)
        s.p += 1
    return s.p


def objects_are_only_read(n):
    x = Box(n)
    u = x if n > 1 else Box(n + 1)
    return x.p + u.p


def dict_is_only_read(n):
    x = {1: n}
    s = x if n > 0 else {1: 5, 2: n}
    return s[1], x[1]


def dict_chosen_twice(n):
    d, e = {"p": n}, {"p": 5}
    e = d if n > 0 else e
    e = d if n > 1 else e
    e["p"] += 700
    return d["p"], e["p"]


def lists_of_their_own(n):
    x, u = [1, 2], [3, 4]
    if n > 1:
        x, u = list(u), list(x)
    x[0] += n
    u[0] -= n
    return x, u


def older_set_that_changes(n):
    x = {1}
    s = x if n > 0 else {1, 2}
    x.add(5)
    return len(s), len(x)


def older_dict_of_other_keys_that_changes(n):
    x = {1: n}
    if n > 0:
        s = x
    else:
        s = {1: 5, 2: n}
    if n > 1:
        x[1] = 7
    return len(s), s[1], x[1]


def objects_in_a_list_that_stays_on_one_path(n):
    a, b = Box(1), Box(2)
    boxes = [a, b]
    if n > 3:
        boxes = [boxes[1], Box(n)]
    b.p += 700
    return boxes[0].p, boxes[1].p, a.p


def dict_is_dict(n):
    x, y = {"k": n}, {"k": 1}
    u = x if n > 0 else y
    return u is x


RIGHT = [
    object_reset_in_a_loop, objects_are_only_read, dict_is_only_read, dict_chosen_twice,
    lists_of_their_own, older_set_that_changes, older_dict_of_other_keys_that_changes,
    objects_in_a_list_that_stays_on_one_path, dict_is_dict,
]  # fmt: skip
