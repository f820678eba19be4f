"""Profiles of runs: which operation of which line of the user's code took how long."""
