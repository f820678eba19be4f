"""``runtime.distribute.cluster_resolver``: who is in a cluster, and which task this process is."""

from runtime.distribute.cluster_spec import TFConfigClusterResolver as TFConfigClusterResolver

__all__ = ["TFConfigClusterResolver"]
