"""Graphs as data: operations, symbolic tensors, tracing, scopes, and the text form of a graph."""
