"""Staged values of autograph's in graphs: lists, maps, optionals, and nests that hold some."""
