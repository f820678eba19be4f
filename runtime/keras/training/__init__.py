"""Training, evaluation and prediction of models."""
