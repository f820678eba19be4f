"""The linter behind ``autograph check``: finds code that cannot be staged, from its text alone.

``codes`` is the table of findings; ``staged_value_inference`` infers which conditions may be
staged, ``functions`` on which decisions each statement depends; each group of rules has a file.
"""
