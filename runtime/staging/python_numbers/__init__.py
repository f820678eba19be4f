"""Python's numbers and texts in graphs: symbolic tensors that stand for one, and do as it does.

An import of any file of the room gives symbolic tensors these attributes and operators.
"""

from runtime.staging.python_numbers import symbolic_numbers as symbolic_numbers
