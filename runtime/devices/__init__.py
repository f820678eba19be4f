"""Devices: the scopes that ask for them, and the tensors and variables that live on one.

JAX is imported when a program enters the scope of a device other than the CPU.
"""
