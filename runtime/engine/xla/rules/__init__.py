"""Rules of ops for XLA: functions on JAX's arrays with the arguments of the ops' kernels.

A rule is written where the kernel itself does not carry over (carried_kernels.py).  Where the
kernel may raise, the rule notes what must hold (``interpreter.require``).
"""
