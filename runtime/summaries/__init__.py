"""Summaries: values of a run, written to event files that TensorBoard shows."""
