"""Native exports: a function becomes an object file, a library or WebAssembly, without Python.

``export.py`` has the public function; ``interface.py`` says what C sees, ``entry_text.py`` writes
the function that C calls, ``stand_ins.py`` what stands there for those of Python and NumPy.
"""
