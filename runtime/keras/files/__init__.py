"""Files as arrays and datasets: images, texts in folders, and Keras' small data sets."""
