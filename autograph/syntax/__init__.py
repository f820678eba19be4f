"""Source text and syntax trees of functions: finds, parses, builds, prints and compiles them."""
