"""Types of the names of ``runtime.config``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from runtime.engine.config import experimental as experimental
from runtime.engine.config import functions_run_eagerly as experimental_functions_run_eagerly
from runtime.engine.config import functions_run_eagerly as functions_run_eagerly
from runtime.engine.config import get_logical_device_configuration as get_logical_device_configuration
from runtime.engine.config import get_soft_device_placement as get_soft_device_placement
from runtime.engine.config import get_visible_devices as get_visible_devices
from runtime.engine.config import list_logical_devices as list_logical_devices
from runtime.engine.config import list_physical_devices as list_physical_devices
from runtime.engine.config import optimizer as optimizer
from runtime.engine.config import release_workspace as release_workspace
from runtime.engine.config import run_functions_eagerly as experimental_run_functions_eagerly
from runtime.engine.config import run_functions_eagerly as run_functions_eagerly
from runtime.engine.config import set_logical_device_configuration as set_logical_device_configuration
from runtime.engine.config import set_soft_device_placement as set_soft_device_placement
from runtime.engine.config import set_visible_devices as set_visible_devices
from runtime.engine.config import threading as threading
from runtime.engine.device_registry import LogicalDevice as LogicalDevice
from runtime.engine.device_registry import LogicalDeviceConfiguration as LogicalDeviceConfiguration
from runtime.engine.device_registry import PhysicalDevice as PhysicalDevice
from typing import Any


