"""Rules of op definitions: inference, kernels, samples; none names an op (but for conj)."""
