"""Drawings of nested graphs as SVG, HTML and dot: a layered layout, and the pages' common style."""
