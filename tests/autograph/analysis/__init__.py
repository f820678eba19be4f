"""Tests of the facts that converters rely on."""
