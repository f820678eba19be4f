"""What the namespace says of itself: ``__array_namespace_info__``."""

from __future__ import annotations

from typing import Any

from runtime.array_api.promotion import (
    DEFAULT_COMPLEX,
    DEFAULT_FLOAT,
    DEFAULT_INDEX,
    DEFAULT_INT,
    DTYPES,
    KINDS,
    check_device,
)
from runtime.types.device_spec import CPU_NAME
from runtime.types.dtypes import DType

VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12")


def check_version(api_version: str | None) -> None:
    """ValueError for a version of the standard that is not known."""
    if api_version is not None and api_version not in VERSIONS:
        raise ValueError(
            f"version {api_version!r} of the array API is not supported; expected one of "
            f"{', '.join(VERSIONS)}"
        )


class ArrayNamespaceInfo:
    """Capabilities, devices and dtypes of the namespace."""

    def capabilities(self) -> dict[str, Any]:
        """What is supported beyond the functions."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> str:
        """The device of new arrays."""
        return CPU_NAME

    def devices(self) -> list[str]:
        """All devices: one CPU."""
        return [CPU_NAME]

    def default_dtypes(self, *, device: Any = None) -> dict[str, DType]:
        """The dtypes of new arrays by kind."""
        check_device(device)
        return {
            "real floating": DEFAULT_FLOAT,
            "complex floating": DEFAULT_COMPLEX,
            "integral": DEFAULT_INT,
            "indexing": DEFAULT_INDEX,
        }

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, DType]:
        """The dtypes, all or of a kind (a name or a tuple of names)."""
        check_device(device)
        if kind is None:
            return dict(DTYPES)
        kinds = kind if isinstance(kind, tuple) else (kind,)
        for name in kinds:
            if name not in KINDS:
                raise ValueError(f"unsupported kind: {name!r}; expected one of {', '.join(KINDS)}")
        selected = {d for name in kinds for d in KINDS[name]}
        return {name: d for name, d in DTYPES.items() if d in selected}


def __array_namespace_info__() -> ArrayNamespaceInfo:
    """What the namespace supports: capabilities, devices, dtypes."""
    return ArrayNamespaceInfo()
