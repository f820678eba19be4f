"""The backend of autograph: how converted Python is recorded in graphs."""
