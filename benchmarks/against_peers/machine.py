"""What the figures were measured on: processor, cores, versions."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

PACKAGES = ("numpy", "llvmlite", "numba", "jax", "torch", "tensorflow", "tensorflow_cpu")


def description() -> dict[str, str]:
    """The parts, by name."""
    found = {
        "processor": processor(), "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
    }  # fmt: skip
    if shutil.which("gcc"):
        done = subprocess.run(["gcc", "-dumpfullversion"], capture_output=True, text=True)
        found["gcc"] = done.stdout.strip()
    for package in PACKAGES:
        try:
            found[package.removesuffix("_cpu")] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def processor() -> str:
    """The processor's name, and the widest vector instructions that it has."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    name = re.search(r"^model name\s*: (.*)$", text, re.M)
    flags = re.search(r"^flags\s*: (.*)$", text, re.M)
    widest = [flag for flag in ("avx512f", "avx2") if flags and flag in flags[1].split()]
    known = {"avx512f": "AVX-512", "avx2": "AVX2"}
    return " with ".join([name[1] if name else platform.machine(), *[known[w] for w in widest[:1]]])
