"""The engine: from a request for values of a graph to what runs it.  The door is executable.py."""
