"""Programs that make texts of staged values, keep them in variables and return them."""


def returned(n):
    return f"{n + 1}, {n!r:>4}"


def returned_on_one_path(n):
    if n > 0:
        return f"positive {n}"
    return "not positive"


def none_on_one_path(n):
    if n > 0:
        return str(n)


def in_a_tuple(n):
    return n, "%s%%" % (n + 1), str(n * 2)


def joined_in_a_branch(n):
    text = "start"
    if n > 2:
        text = f"{text}: {n}"
    elif n > 0:
        text = "small"
    return text


def grows_in_a_loop(n):
    text = ""
    while n > 0:
        text = text + f"{n},"
        n -= 1
    return text


def printed_and_returned(n):
    text = f"<{n}>"
    if n > 2:
        text = text + "!"
    print(text, [text])
    return text


def compared(n):
    if f"{n}" == "3":
        return 1
    return 2 if str(n) != f"{n}" else 3


def kept_in_a_dict(n):
    found = {"text": "none"}
    for i in range(n):
        found["text"] = f"{i}/{n}"
    return found["text"]


class Pattern:
    def __init__(self, text):
        self.text = text


def formatted_in_place(n):
    text, pattern, held, listed = "%d items", Pattern("<%s>"), {"a": "%d", "b": "%05.1f"}, ["%d"]
    text %= n
    if n > 2:
        text += "!"
        pattern.text %= (text,)
    held["a"] %= n + 1
    held["b"] %= n
    listed[0] %= n
    return text, pattern.text, held, listed


def remainders_in_place(n):
    by, held = n + 10, [n, 7]
    n %= by
    held[1] %= by
    return n, held


def keys_of_several_classes(n):
    return {1: n, "a": n + 1, (1, 2): n, None: 2 * n}


NUMBERS = [(-1,), (0,), (1,), (3,), (6,)]

CASES = [
    (function, NUMBERS)
    for function in (
        returned, returned_on_one_path, none_on_one_path, in_a_tuple, joined_in_a_branch,
        grows_in_a_loop, printed_and_returned, compared, kept_in_a_dict, formatted_in_place,
        remainders_in_place, keys_of_several_classes,
    )
]
