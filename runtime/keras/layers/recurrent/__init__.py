"""Layers that run cells over the steps of sequences."""
