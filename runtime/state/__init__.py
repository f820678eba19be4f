"""State between runs: variables, modules, initial values and generators."""
