"""Diagnostics: the user's frame for error messages, tracebacks, and logging of conversions."""
