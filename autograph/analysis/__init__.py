"""Static analyses of one function's tree; converters use them through ``manager.Analyses``.

``symbols`` numbers the variables, ``inner_scopes`` summarises inner scopes, ``expression_effects``
and ``statement_effects`` record what each part reads and writes, and ``scopes`` answers queries.
``cfg`` is the control-flow graph; ``liveness`` and ``reaching_definitions`` use both.
"""
