"""Names of the native functions on arrays that all graphs share, without that of the type.

What writes their code is imported when a graph calls one (libraries.py).
"""

FITS, MULTIPLY = "rt_fits", "rt_multiply"
MULTIPLY_IN_TILES, MULTIPLY_BATCH = "rt_multiply_in_tiles", "rt_multiply_batch"
OF_PRODUCTS = (FITS, MULTIPLY)
"""Whether BLAS takes two matrices, and their product.

A product of a matrix and its own transpose is symmetric to the bit for NumPy, which has BLAS
compute one half of it; so the kernel computes it.
"""
TYPES_OF_PRODUCTS = ("f64", "f32", "c128", "c64")
"""Names of the types of products (``blas.type_name``)."""
SOLVE, INVERT, CHOLESKY = "rt_solve", "rt_invert", "rt_cholesky"
EIGENVECTORS, EIGENVALUES = "rt_eigenvectors", "rt_eigenvalues"
OF_DECOMPOSITIONS = (SOLVE, INVERT, CHOLESKY, EIGENVECTORS, EIGENVALUES)
CONVOLVE, TO_FILTERS = "rt_convolve", "rt_filters"
DEPTHWISE, DEPTHWISE_TO_FILTERS = "rt_depthwise", "rt_depthwise_filters"
OF_CONVOLUTIONS = (CONVOLVE, TO_FILTERS, DEPTHWISE, DEPTHWISE_TO_FILTERS)
MAX, MEAN, PLACES = "rt_pool_max", "rt_pool_mean", "rt_pool_places"
MAX_TO_INPUT, MEAN_TO_INPUT = "rt_pool_max_to_input", "rt_pool_mean_to_input"
OF_POOLING = (MAX, MEAN, PLACES, MAX_TO_INPUT, MEAN_TO_INPUT)
