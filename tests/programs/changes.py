"""Programs that change objects: themselves, by methods, by functions they call."""

ONLY = "numbers"

COUNT = 0
OTHER = 0


def bump_global():
    global COUNT
    COUNT += 1


class Box:
    def __init__(self):
        self.n = 0
        self.config = 3

    def increase(self):
        self.n += 1
        return True


class Slim:
    __slots__ = ("n", "later")

    def __init__(self):
        self.n = 0


class Wide(Slim):
    def __init__(self):
        super().__init__()
        self.config = 1


def slot_in_loop(n):
    box = Slim()
    while n > 0:
        box.n += n
        n -= 1
    return box.n


def slot_in_branch(n):
    box = Wide()
    if n > 0:
        box.n = 5
        box.config = 7
    return box.n + 10 * box.config


def slot_by_call(n):
    box = Slim()

    def change():
        box.later = box.n + 3
        box.n = box.later

    box.later = 0
    if n > 0:
        change()
    return box.n + box.later


def setattr_in_branch(x):
    box = Box()
    if x > 0:
        setattr(box, "n", 5)
    return box.n


def global_by_call(n):
    global COUNT
    COUNT = 0
    while n > 0:
        bump_global()
        n -= 1
    return COUNT


def global_by_local_function(n):
    def reset():
        global COUNT, OTHER
        COUNT = OTHER = 0

    def bump():
        global COUNT
        COUNT += 1

    reset()
    while n > 0:
        bump()
        n -= 1
    if n < 0:
        bump()
        return COUNT + 10
    return COUNT


def method_in_loop(n):
    box = Box()
    while n > 0:
        box.increase()
        n -= box.config - 2
    return box.n


def closure_in_loop(n):
    k = 0

    def up():
        nonlocal k
        k += 1

    while n > 0:
        up()
        n -= 1
    return k


def item_by_call(n):
    d = {"k": 0, "other": "text"}

    def up():
        d["k"] += 1

    while n > 0:
        up()
        n -= 1
    return d["k"]


def list_item(n):
    items = [0, 7]
    while n > 0:
        items[0] = items[0] + n
        n -= 1
    return items[0] + items[1]


def key_in_both_branches(x):
    d = {}
    if x > 0:
        d["a"] = x
    else:
        d["a"] = -x
    return d["a"]


def effect_behind_and(x):
    box = Box()
    if x > 0 and box.increase():
        pass
    return box.n


def list_made_inside(x):
    if x > 0:
        items = [x]
        items.append(2)
        x = items[0] + items[1]
    return x


def python_loop_appends(x):
    items = []
    for k in (1, 2, 3):
        items.append(x + k)
    return items[0] + items[2]


def changed_and_chosen(x):
    d = {"a": 1}
    if x > 0:
        d["a"] = x
        e = d
    else:
        e = {"a": 5}
    return e["a"] + 0 * x


class Bumped:
    def __init__(self):
        self.n = 0

    def bump(self, x):
        self.n += 1
        return x


def changed_by_the_third_of_several(x):
    c = Bumped()
    if x > 0 and x > 1 and c.bump(x) > 2:
        c.n += 10
    if x < 0 or x > 5 or c.bump(x) > 2 or c.bump(x) > 1:
        c.n += 100
    r = x > 0 and x > 1 and c.bump(x) > 2
    return c.n, r


CASES = [
    (changed_by_the_third_of_several, [(-1,), (0,), (1,), (2,), (3,), (6,)]),
    (slot_in_loop, [(3,), (-3,)]),
    (slot_in_branch, [(3,), (-3,)]),
    (slot_by_call, [(3,), (-3,)]),
    (changed_and_chosen, [(3,), (-3,)]),
    (setattr_in_branch, [(3,), (-3,)]),
    (global_by_call, [(3,), (-3,)]),
    (global_by_local_function, [(3,), (-3,)]),
    (method_in_loop, [(3,), (-3,)]),
    (closure_in_loop, [(3,), (-3,)]),
    (item_by_call, [(3,), (-3,)]),
    (list_item, [(3,), (-3,)]),
    (key_in_both_branches, [(3,), (-3,)]),
    (effect_behind_and, [(3,), (-3,)]),
    (list_made_inside, [(3,), (-3,)]),
    (python_loop_appends, [(3,)]),
]
