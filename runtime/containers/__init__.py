"""Containers that live between runs: hash tables and queues."""
