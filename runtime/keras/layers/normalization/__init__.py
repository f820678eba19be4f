"""Layers that give their inputs another mean and scale."""
