"""What ops are made of, for native code: one file per family, as in the shelves of ops/.

An op definition refers to a function by ``lower=Composes("family.function")``; the file is imported
when native code is first made of the op.  The function takes the op's inputs and attributes and
returns what the kernel gives, made of ops that have native code; None where there is no such way.
Results of floats may differ from the kernel's as sums and elementary functions do.
"""
