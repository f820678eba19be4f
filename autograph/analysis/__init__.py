"""Facts about one function's tree: they only read, converters ask them through ``Analyses``.

``symbols`` numbers variables, ``nested`` sums up inner scopes, ``expressions`` and ``effects``
record the ``parts``, what each piece of code reads and writes; ``scopes`` answers questions.
``cfg`` says what may run after what, and on both stand ``liveness`` and ``reaching``.
"""
