"""What iterations replace is still the object that other variables refer to where none ran."""

import linecache

import pytest

import runtime as tf

FIRST = {"list": "[n]", "dict": "{'k': n}", "set": "{n}"}
NEXT = {"list": "[2]", "dict": "{'k': 2}", "set": "{2}"}
CHANGE = {"list": "{0}[0] += {1}", "dict": "{0}['k'] += {1}", "set": "{0}.add({1})"}

PROGRAMS = {
    "in one loop": """
def f(n, m):
    d = {first}
    e = d
    for i in range(n):
        e = {next}
    {change_e}
    {change_d}
    return d, e
""",
    "in nested loops": """
def f(n, m):
    d = {first}
    e = d
    for i in range(n):
        j = 0
        while j < m:
            j += 1
            e = {next}
    {change_e}
    {change_d}
    return d, e
""",
    "of the caller's": """
def replaced(e, m):
    for i in range(m):
        e = {next}
    return e
def f(n, m):
    d = {first}
    e = replaced(d, m)
    {change_e}
    return d, e
""",
    "in a tuple": """
def f(n, m):
    d = {first}
    e, t = d, (d, 1)
    for i in range(m):
        e = {next}
    {change_e}
    return d, e, t
""",
}


@pytest.mark.parametrize("kind", FIRST)
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_iterations_replace_is_a_reference(name, kind):
    text = PROGRAMS[name].format(
        first=FIRST[kind], next=NEXT[kind], change_e=CHANGE[kind].format("e", 100),
        change_d=CHANGE[kind].format("d", 700),
    )  # fmt: skip
    filename = f"<{name}, {kind}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    namespace = {"__name__": "program"}
    exec(compile(text, filename, "exec"), namespace)
    function = namespace["f"]
    staged = tf.jit(function, strict=True)
    for args in ((0, 1), (2, 0), (3, 2)):
        assert repr(staged(*args)) == repr(function(*args))


def test_what_is_not_read_later_is_replaced():
    def increased(items, n):
        rows = items
        for _ in range(n):
            rows = [row + 1.0 for row in rows]
        return rows

    staged = tf.jit(increased, strict=True)
    for n in (0, 1, 3):
        assert staged([1.0, 2.5], n) == increased([1.0, 2.5], n)
    graph = staged.get_concrete_function([1.0, 2.5], 3).graph
    made = [operation for operation in graph.operations if operation.op_def.name == "list_new"]
    assert len(made) == 1, "the list of an iteration, and no other one beside that of the caller"
