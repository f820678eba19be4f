"""Training scripts as people write them for TensorFlow: each leaves its losses in ``LOSSES``.

test_scripts.py runs them with the imports changed, and compares with what TensorFlow gave.
"""
