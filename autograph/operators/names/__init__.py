"""Names: variables, attributes, types and frames, where they depend on staged values."""
