"""The works: each file lists, in `LINES`, what is measured, once for each system."""
