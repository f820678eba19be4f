"""Control flow written by hand: cond, while_loop, map_fn, py_function."""
