"""The 1797 handwritten digits that come with scikit-learn: 8 by 8 pixels each."""

import sys

import numpy as np


def digits():
    """Images [1797, 64], float32 from 0 to 1; labels [1797], int32."""
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        sys.exit("this example needs scikit-learn: pip install 'pyautograph[examples]'")
    pixels, labels = load_digits(return_X_y=True)
    return (pixels / 16).astype(np.float32), labels.astype(np.int32)
