"""Sessions that watch over training: hooks, checkpoints, and recovery when a task is lost."""
