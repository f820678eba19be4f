"""NumPy's arrays in graphs: symbolic arrays, their operators, and NumPy's functions on them.

An import of any file of the room lets graphs watch over arrays while bodies are traced.
"""

from runtime.staging.numpy_arrays import body_watch as body_watch
