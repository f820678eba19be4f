"""State between runs: variables, modules, initial values, generators, tables and queues."""
