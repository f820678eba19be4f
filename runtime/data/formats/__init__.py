"""File formats of datasets: records, compression, elements and separated values."""
