"""What tests of several rooms share."""

from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
"""The folder of the checkout."""
