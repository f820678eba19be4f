"""The command line: one command a file; main.py reads the arguments and calls them."""
