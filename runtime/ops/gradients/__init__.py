"""Gradient rules longer than a line: one file per family, as in the shelves of ops/.

An op definition refers to a rule by ``grad=lazy_gradient("family.function")``; the file is imported
when the gradient is first needed.  A rule takes the op's inputs, its outputs, the gradients of the
outputs, and the attributes; it returns one gradient for each input, or None where there is no path.
Rules are made of ops, so gradients can be differentiated, run eagerly and recorded in graphs.

Where a gradient is expensive, a rule returns a function that computes it on demand.  Gradients of
element-wise ops may have the shape of the output; backpropagation sums them back to the shapes of
the inputs.  All other gradients have the shape of their input.
"""
