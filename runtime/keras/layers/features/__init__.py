"""Layers that make numbers of categories: encodings, hashes, vocabularies, texts."""
