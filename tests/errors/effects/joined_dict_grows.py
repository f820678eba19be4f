def f(x):
    first = last = {"a": 1}
    for i in range(x):
        last = {"a": i}
    last["b"] = x
    return first["a"]


ARGS = (2,)
