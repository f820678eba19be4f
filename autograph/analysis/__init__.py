"""Facts about one function's tree: they only read, converters ask them through ``Analyses``.

``symbols`` numbers variables, ``nested`` sums up inner scopes, ``effects`` records what each
piece of code reads and writes; ``scopes`` answers questions about that.  ``cfg`` says what may run
after what, and on both stand ``liveness`` and ``reaching``.
"""
