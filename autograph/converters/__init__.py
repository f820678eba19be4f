"""One construct a file: each converter rewrites one kind of Python statement or expression.

The order in which they run stands in ``autograph.pipeline``.
"""
