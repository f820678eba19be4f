"""Choice between plain Python and machine code for each call of ``runtime.jit``."""
