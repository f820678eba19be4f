"""Staging: how converted Python is put onto the graphs of a tensor library.

The protocol that a backend fulfils, from the ground up: ``state_spec``, the parts
``list_protocol``, ``try_protocol`` and ``call_protocol``, and their sum ``protocol``; the staged
values ``staged_list``, ``staged_union`` and ``staged_string``; and ``registry``, which finds the
backend of a value.
"""

from __future__ import annotations

from autograph.staging.protocol import Backend as Backend
from autograph.staging.registry import EAGER as EAGER
from autograph.staging.registry import TRACES as TRACES
from autograph.staging.registry import announce as announce
from autograph.staging.registry import halves as halves
from autograph.staging.registry import load_announced as load_announced
from autograph.staging.registry import may_stage as may_stage
from autograph.staging.registry import register as register
from autograph.staging.registry import unregister as unregister
from autograph.staging.state_spec import Plan as Plan
