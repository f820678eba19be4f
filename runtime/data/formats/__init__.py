"""File formats of datasets: records, checksums, compression, elements and separated values."""
