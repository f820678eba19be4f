"""Plain functions with inputs; ``tests/test_programs.py`` runs each every way."""
