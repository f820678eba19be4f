"""Derivatives that are longer than a line, a family a file, as in ops/.

Rows point here by ``grad=written("family.function")`` (facets/derivatives.py); nothing here is
imported before a derivative is asked for.  A function takes the row's inputs, its outputs, the
gradients of the outputs and its attributes, and gives one gradient (or None: no path) an input,
made of ops: so derivatives have derivatives, run eagerly and stand in graphs.

A gradient may be a function that makes it, called only where it is asked for.

Gradients of element-wise rows may have the shape of the output: what applies derivatives sums them
back to the inputs' shapes.  All others have the shape of their input.
"""
