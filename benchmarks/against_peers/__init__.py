"""The same work by every system: C, JAX, numba, NumPy, TensorFlow, torch and ours.

    taskset -c 0 python -m benchmarks.against_peers [WORK ...] [-o FILE] [--write-docs]

``works/`` holds a file for each work; ``line.py`` says what such a file lists, ``systems.py`` and
``c_code.py`` how each system runs a program, ``measure.py`` measures, ``page.py`` writes tables.
Systems that are not installed are named and left out.
"""
