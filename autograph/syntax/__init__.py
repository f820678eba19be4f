"""Between functions, text and trees: finding source, building trees, writing and loading them."""
