def f(x):
    known, found = {"a": 1}, {"a": 2}
    if x > 1:
        found = known
    found["b"] = x
    return known["a"]


ARGS = (2,)
