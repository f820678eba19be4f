"""``runtime.compat.v1.metrics``: metrics of a stream of batches, as a value and an update.

Each function returns ``(value, update_op)``: run ``update_op`` for each batch, then ``value``.
Their state is in local variables; ``runtime.local_variables_initializer()`` sets it to 0.
"""

# ruff: noqa: F403 - what a star brings is what the module's __all__ says
from runtime.compat.v1.metrics.areas import *
from runtime.compat.v1.metrics.areas import __all__ as _areas
from runtime.compat.v1.metrics.classes import *
from runtime.compat.v1.metrics.classes import __all__ as _classes
from runtime.compat.v1.metrics.counts import *
from runtime.compat.v1.metrics.counts import __all__ as _counts
from runtime.compat.v1.metrics.means import *
from runtime.compat.v1.metrics.means import __all__ as _means
from runtime.compat.v1.metrics.thresholds import *
from runtime.compat.v1.metrics.thresholds import __all__ as _thresholds

__all__ = sorted([*_areas, *_classes, *_counts, *_means, *_thresholds])  # noqa: PLE0605


def __dir__() -> list[str]:
    return list(__all__)
