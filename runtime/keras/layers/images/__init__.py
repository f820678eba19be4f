"""Layers that resize, crop and augment images."""
