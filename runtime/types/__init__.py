"""Ground floor: errors, dtypes, shapes, nested values, conversion to arrays; knows no operation."""
