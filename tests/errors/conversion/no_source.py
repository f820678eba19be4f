namespace = {}
exec("def f(x):\n    return x", namespace)
f = namespace["f"]
