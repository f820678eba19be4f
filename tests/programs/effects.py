"""Programs that print, assert and raise."""


def prints(x):
    print("start", x)
    if x > 0:
        print("positive")
    else:
        print("other", x, sep="=")
    return x


def prints_in_loop(n):
    for i in range(n):
        print(i, end=" ")
    print()
    return n


def asserts(x):
    assert x > 0
    return x


def asserts_with_message(x):
    assert x > 0, "x must be positive"
    return x


def raises(x):
    if x < 0:
        raise ValueError("negative")
    return x


def raises_in_loop(n):
    s = 0
    for i in range(n):
        if i > 3:
            raise KeyError("too many")
        s = s + i
    return s


def raises_else(x):
    if x > 0:
        y = x * 2
    elif x == 0:
        raise ZeroDivisionError("zero")
    else:
        raise ArithmeticError("negative", 1)
    return y


def raise_class(x):
    if x > 5:
        raise LookupError
    return x


def undefined(x):
    if x > 0:
        y = x
    return y


def undefined_loop_variable(n):
    for i in range(n):
        pass
    return i


def deleted(x):
    y = x
    if x > 0:
        del y
    return y


def formatted(x):
    print(f"x is {x}, {x!r:>4}|{x + 1:{3 + 1}d}|" + f"{'plain'}")
    print(str(x) + "!", format(x, "03d"), repr(x))
    if x > 2:
        print(f"large: {x}")
    return x


def formatted_as_before_f_strings(x):
    print("x is %s, %5s|%-4d|%%" % (x, x + 1, x))
    print("%s" % x, "%r" % (x,), "%(a)s-%(b)03d" % {"a": x, "b": x})
    print("{} {!r} {:>4} {0:03d}".replace("0:", "k:").format(x, x, x, k=x))
    print("{0}{a}".format(x, a=1), "{a:d}".format_map({"a": x}))
    print(", ".join(["a", str(x), f"{x:d}"]), ["%d" % x], f"{[x]} {(x, 1)}", str((x, 2)))
    return x


def asserts_with_old_text(x):
    if x < 0:
        raise ValueError("%s is negative" % x, "{:d}".format(x))
    assert x < 5, "%d is too large" % x
    return x


def raises_with_text(x):
    if x < 0:
        raise ValueError(f"{x} is negative")
    assert x < 5, f"{x} is too large"
    return x


def plain_assert_on_a_staged_path(x):
    if x > 3:
        assert isinstance(x, str), "never for numbers"
    return x


CASES = [
    (plain_assert_on_a_staged_path, [(1,), (9,)]),
    (formatted, [(1,), (7,)]),
    (formatted_as_before_f_strings, [(7,)]),
    (asserts_with_old_text, [(-3,), (3,), (9,)]),
    (raises_with_text, [(-3,), (3,), (9,)]),
    (prints, [(1,), (-1,)]),
    (prints_in_loop, [(3,), (0,)]),
    (asserts, [(1,), (-1,)]),
    (asserts_with_message, [(1,), (-1,)]),
    (raises, [(1,), (-1,)]),
    (raises_in_loop, [(3,), (6,)]),
    (raises_else, [(1,), (0,), (-1,)]),
    (raise_class, [(1,), (9,)]),
    (undefined, [(1,), (-1,)]),
    (undefined_loop_variable, [(3,), (0,)]),
    (deleted, [(1,), (-1,)]),
]
