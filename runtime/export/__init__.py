"""Saved models: functions and variables in a folder, which another process loads and runs."""
