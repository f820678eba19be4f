"""What all layers share."""
