"""Layers that weigh values by how well their keys fit queries."""
