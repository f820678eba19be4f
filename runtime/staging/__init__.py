"""The backend of autograph: how converted Python is recorded in graphs.

``values`` holds the staged values of autograph's, ``python_numbers`` what tensors do that stand for
a Python number, ``numpy_arrays`` symbolic arrays and NumPy's functions; the files of the folder
itself implement the protocol (backend.py) by these and by the rooms between.
"""
