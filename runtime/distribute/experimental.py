"""``runtime.distribute.experimental``: how processes communicate."""

from runtime.distribute.communication import CollectiveCommunication as CollectiveCommunication
from runtime.distribute.communication import (
    CommunicationImplementation as CommunicationImplementation,
)
from runtime.distribute.communication import CommunicationOptions as CommunicationOptions

__all__ = ["CollectiveCommunication", "CommunicationImplementation", "CommunicationOptions"]
