"""Iteration: loops, comprehensions, and all that takes the items of a container one by one."""
