"""Python's texts in native code: lists of code points, with functions and operations of their own.

A text that is known, and that of one character below 256, is a constant: nobody counts references.
"""
