"""Functions of the standard library in plain Python, for the places where C code needs values.

``operators.library`` converts them as it converts the user's functions and calls them in place of
the versions in C where an argument is staged.  They import nothing of autograph.
"""
