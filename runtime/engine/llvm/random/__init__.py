"""Random numbers in native code: NumPy's generators draw, called without Python."""
