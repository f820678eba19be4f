"""Joins: how the states of two paths become one."""
