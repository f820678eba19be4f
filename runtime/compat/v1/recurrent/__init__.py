"""Recurrent networks of TensorFlow 1: cells, and functions that run them over time."""
