"""Finds what will not stage, by looking at the text alone: what ``autograph check`` lists.

``codes`` is the table of what is looked for, ``values`` tells which conditions may be staged,
``functions`` what each statement depends on; the rules stand in a file for each kind of trouble.
"""
