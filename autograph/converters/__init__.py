"""Converters: each file rewrites one kind of Python statement or expression.

``autograph.pipeline`` lists them in the order in which they run.
"""
