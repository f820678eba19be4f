"""Control: paths of staged statements, and what decides between them (`if`, `try`, `raise` ...)."""
