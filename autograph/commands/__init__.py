"""The commands of the command line, one file each; ``cli`` reads the arguments and calls them."""
