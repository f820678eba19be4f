"""``export.native``: a function becomes an object file, a library, a C project or WebAssembly."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autograph.named_tuples import NamedTuple
from runtime.engine.executable import plan_of
from runtime.export.native_code.c_header import c_header
from runtime.export.native_code.c_program import main_program
from runtime.export.native_code.cpp_wrapper import cpp_wrapper
from runtime.export.native_code.interface import c_name, interface_of
from runtime.export.native_code.js_module import js_module
from runtime.export.native_code.refusals import check_native
from runtime.export.native_code.traces import trace_of
from runtime.types.atomic_files import file_errors, replacing
from runtime.types.errors import InvalidArgumentError, UnimplementedError
from runtime.types.extras import require

__all__ = ["native"]


def native(
    function: Any,
    path: str | os.PathLike[str],
    target: str | None = None,
    *,
    cpu: str | None = None,
    name: str | None = None,
    input_signature: Sequence[Any] | None = None,
) -> list[str]:
    """Write a function as native code that needs no Python, with a C header.

    The suffix of the path says what is written: ``.o`` (or ``.obj``) an object file, ``.a`` (or
    ``.lib``) a static library, ``.so`` (``.dylib``, ``.dll``) a shared library, ``.wasm`` a
    WebAssembly module, ``.c-project`` a folder with the object, a program that uses it and a
    Makefile.  The header, with a documented C function, stands beside it; ``docs/native.md`` says
    how it is called.

    Args:
        function: function of ``runtime.function``, concrete function, Keras model, what
            ``saved_model.load`` gives, or the path of a saved model's folder; a Python function
            with an ``input_signature``.
        path: the file or folder to write.
        target: a name such as ``"x86-64-v3"``, ``"aarch64"``, ``"wasm32"`` or ``"native"`` (this
            machine with all its processor has), or LLVM's name of a platform; by default this
            machine's platform with the least processor of its kind, and for ``.wasm`` ``wasm32``.
        cpu: LLVM's name of a processor of the target.
        name: name of the C function; by default that of the function.
        input_signature: ``TensorSpec`` of each argument, for a function with no trace or several.

    Returns:
        The paths of what was written.

    Raises:
        ModuleNotFoundError: without the extra ``jit``.
        InvalidArgumentError: for another suffix, and an unknown target or processor.
        ValueError: for a function with no trace or several, without a signature.
        UnimplementedError: for operations that have no native code, listing all of them with their
            lines; for arguments that C cannot pass; without a linker for the target.
        OpError: the one that fits the error of the file system.
    """
    require("llvmlite", extra="jit", for_="export.native")
    from runtime.export.native_code.compiler import object_file

    place = os.fsdecode(path)
    suffix = _suffix_of(place)
    chosen = _target_for(suffix, target, cpu)
    trace, own_name = trace_of(function, input_signature)
    exported = exported_trace(trace, c_name(name or own_name, set()), chosen)
    return FORMATS[suffix](_Artefact(place, exported, chosen, object_file(exported, chosen)))


def _suffix_of(path: str) -> str:
    """Return the suffix of a path, in a folder that exists."""
    suffix = os.path.splitext(path.rstrip("/\\"))[1].lower()
    if suffix not in FORMATS:
        raise InvalidArgumentError(
            f"export.native: the suffix of {path!r} is none of {', '.join(FORMATS)}"
        )
    folder = os.path.dirname(path.rstrip("/\\")) or "."
    with file_errors(folder):
        os.stat(folder)
    return suffix


def _target_for(suffix: str, name: str | None, cpu: str | None) -> Any:
    """Return the target of an export."""
    from runtime.export.native_code.targets import target_named

    target = target_named("wasm32" if name is None and suffix == ".wasm" else name, cpu)
    if (suffix == ".wasm") != (target.format == "wasm") and suffix not in (".o", ".c-project"):
        raise InvalidArgumentError(
            f"export.native: a {suffix} file cannot be for {target.triple}: .wasm and wasm32 go "
            "together"
        )
    return target


def exported_trace(trace: Any, name: str, target: Any) -> Any:
    """Return a trace as a function that can be exported to a target; UnimplementedError if it
    cannot.
    """
    from runtime.engine.llvm.lowering import NotNativeError
    from runtime.engine.llvm.pipeline import lower
    from runtime.engine.llvm.vector_math.processor import compiling_for
    from runtime.export.native_code.compiler import Exported
    from runtime.export.native_code.targets import compile_target
    from runtime.export.native_code.variables import state_of

    try:
        with compiling_for(compile_target(target)):
            module = lower(plan_of(trace.graph), plan_of)
    except NotNativeError as error:
        raise UnimplementedError(f"export.native: {name}: {error}") from None
    check_native(module, name)
    interface = interface_of(trace, module, name)
    return Exported(module, interface._replace(state=state_of(module)))


class _Artefact(NamedTuple):
    """What is written: the path, the function, the target and the object file."""

    path: str
    function: Any
    target: Any
    image: bytes

    @property
    def stem(self) -> str:
        """The name of the files without suffix."""
        return os.path.splitext(os.path.basename(self.path.rstrip("/\\")))[0]

    def header(self) -> str:
        """Return the C header."""
        return c_header([self.function.interface], self.stem, self.target)

    def write(self, files: Mapping[str, bytes | str]) -> list[str]:
        """Write files, each of which is complete when it gets its name; return their paths."""
        for path, data in files.items():
            with file_errors(path), replacing(path) as file:
                file.write(data.encode() if isinstance(data, str) else data)
        return list(files)

    def beside(self, suffix: str) -> str:
        """Return the path of another file of the same name."""
        return os.path.splitext(self.path)[0] + suffix


def _object(artefact: _Artefact) -> list[str]:
    return artefact.write({artefact.path: artefact.image, artefact.beside(".h"): artefact.header()})


_Link = Callable[[Sequence[str], str, _Artefact], None]
"""Function of object files, the path of what is linked, and the artefact."""


def _linked(link: _Link) -> Callable[[_Artefact], list[str]]:
    """Return the writer of what a tool links of the object file."""

    def write(artefact: _Artefact) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, f"{artefact.stem}.o")
            output = os.path.join(folder, os.path.basename(artefact.path))
            with open(source, "wb") as file:
                file.write(artefact.image)
            link([source], output, artefact)
            with open(output, "rb") as file:
                data = file.read()
        files: dict[str, bytes | str] = {
            artefact.path: data, artefact.beside(".h"): artefact.header()
        }  # fmt: skip
        if artefact.target.format == "wasm":
            name = os.path.basename(artefact.path)
            files[artefact.beside(".mjs")] = js_module(artefact.function.interface, name)
        return artefact.write(files)

    return write


def _link_shared(objects: Sequence[str], path: str, artefact: _Artefact) -> None:
    from runtime.export.native_code.toolchain import link_shared

    link_shared(objects, path, artefact.target)


def _archive(objects: Sequence[str], path: str, artefact: _Artefact) -> None:
    from runtime.export.native_code.toolchain import archive

    archive(objects, path, artefact.target)


def _link_wasm(objects: Sequence[str], path: str, artefact: _Artefact) -> None:
    from runtime.export.native_code.compiler import exported_names
    from runtime.export.native_code.toolchain import link_wasm

    names = exported_names(artefact.function.interface, artefact.target)
    link_wasm(objects, path, names, artefact.target)


_MAKEFILE = """\
# Builds {stem}, a program that calls the exported function.
CFLAGS = -O2 -Wall -Wextra

{stem}: main.c {stem}.o {stem}.h
\t$(CC) $(CFLAGS) -o $@ main.c {stem}.o -lm

clean:
\trm -f {stem}
"""


def _c_project(artefact: _Artefact) -> list[str]:
    from runtime.types.atomic_folders import replacing_folder

    stem = artefact.stem
    files: dict[str, bytes | str] = {
        f"{stem}.o": artefact.image, f"{stem}.h": artefact.header(),
        "main.c": main_program(artefact.function.interface, f"{stem}.h"),
        f"{stem}.hpp": cpp_wrapper(artefact.function.interface, f"{stem}.h"),
        "Makefile": _MAKEFILE.format(stem=stem),
    }  # fmt: skip
    with file_errors(artefact.path), replacing_folder(artefact.path, [*files, stem]) as folder:
        artefact.write({os.path.join(folder, name): data for name, data in files.items()})
    return [os.path.join(artefact.path, name) for name in files]


FORMATS: dict[str, Callable[[_Artefact], list[str]]] = {
    ".o": _object, ".obj": _object, ".a": _linked(_archive), ".lib": _linked(_archive),
    ".so": _linked(_link_shared), ".dylib": _linked(_link_shared), ".dll": _linked(_link_shared),
    ".wasm": _linked(_link_wasm), ".c-project": _c_project,
}  # fmt: skip
"""By suffix of the path: what writes it."""
