"""``compat.v1.flags``: options of a program's command line, as TensorFlow 1 and absl have them.

``DEFINE_integer("steps", 100, "number of steps")`` defines ``--steps``; ``FLAGS.steps`` reads it.
The command line is read by ``app.run``, or when a value is first asked for.  It is our own, small
reader: with absl's where that is installed a program would act differently on another machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograph.named_tuples import NamedTuple

__all__ = [
    "DEFINE_alias", "DEFINE_bool", "DEFINE_boolean", "DEFINE_enum", "DEFINE_float",
    "DEFINE_integer", "DEFINE_list", "DEFINE_multi_float", "DEFINE_multi_integer",
    "DEFINE_multi_string", "DEFINE_string", "Error", "FLAGS", "FlagValues", "mark_flag_as_required",
    "mark_flags_as_required",
]  # fmt: skip


class Error(Exception):
    """Flag that is not defined, or has a value of another kind."""


class _Flag(NamedTuple):
    """Flag: what its text means, its default and its help."""

    name: str
    default: Any
    help: str
    parse: Callable[[str], Any]
    is_bool: bool = False
    is_multi: bool = False


class FlagValues:
    """Flags of a program and their values, as attributes; ``FLAGS`` is the one of this process."""

    def __init__(self) -> None:
        self.__dict__.update(_flags={}, _values={}, _aliases={}, _required=[], _parsed=False)

    def define(self, flag: _Flag) -> None:
        """Add a flag; Error where there is one of that name with another meaning."""
        known = self._flags.get(flag.name)
        if known is not None and known[:3] != flag[:3]:
            raise Error(f"The flag {flag.name!r} is defined twice.")
        self._flags[flag.name] = flag

    def __call__(self, argv: Sequence[str], known_only: bool = False) -> list[str]:
        """Read the flags of a command line; return the program and the other arguments.

        Error for flags that are not defined (unless ``known_only``), for values of another kind,
        and for required flags that are absent.
        """
        rest, words = [argv[0]] if argv else [], list(argv[1:])
        values: dict[str, Any] = {}
        while words:
            word = words.pop(0)
            if word == "--":
                rest += words
                break
            if not word.startswith("-") or word == "-":
                rest.append(word)
                continue
            name, has_value, text = word.lstrip("-").partition("=")
            flag, negated = self._flag_named(name.replace("-", "_"))
            if flag is None:
                if not known_only:
                    raise Error(f"Unknown command line flag {name!r}")
                rest.append(word)
                continue
            if flag.is_bool and not has_value:
                values[flag.name] = not negated
                continue
            if not has_value:
                if not words:
                    raise Error(f"Missing value for flag {word}")
                text = words.pop(0)
            value = self._value(flag, text)
            if flag.is_multi:
                value = [*values.get(flag.name, []), value]
            values[flag.name] = value
        self._values.update(values)
        self.__dict__["_parsed"] = True
        for name in self._required:
            if getattr(self, name) is None:
                raise Error(f"Flag --{name} must have a value other than None.")
        return rest

    def _flag_named(self, name: str) -> tuple[_Flag | None, bool]:
        """The flag of a word of the command line, and whether ``no`` stands before it."""
        name = self._aliases.get(name, name)
        if name in self._flags:
            return self._flags[name], False
        flag = self._flags.get(name.removeprefix("no")) if name.startswith("no") else None
        return (flag, True) if flag is not None and flag.is_bool else (None, False)

    def _value(self, flag: _Flag, text: str) -> Any:
        try:
            return flag.parse(text)
        except ValueError as error:
            raise Error(f"flag --{flag.name}={text}: {error}") from None

    def __getattr__(self, name: str) -> Any:
        name = self._aliases.get(name, name)
        if name not in self._flags:
            raise AttributeError(f"no flag {name!r} is defined")
        if not self._parsed:
            self(sys.argv, known_only=True)
        return self._values.get(name, self._flags[name].default)

    def __setattr__(self, name: str, value: Any) -> None:
        name = self._aliases.get(name, name)
        if name not in self._flags:
            raise AttributeError(f"no flag {name!r} is defined")
        self._values[name] = value

    def __contains__(self, name: str) -> bool:
        return name in self._flags

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._flags))

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def flag_values_dict(self) -> dict[str, Any]:
        """Return the values by name."""
        return {name: getattr(self, name) for name in self}

    def unparse_flags(self) -> None:
        """Forget what the command line said."""
        self._values.clear()
        self.__dict__["_parsed"] = False

    def get_help(self) -> str:
        """Return a line for each flag."""
        return "".join([
            f"  --{name}: {self._flags[name].help} (default: {self._flags[name].default!r})\n"
            for name in self
        ])  # fmt: skip


FLAGS = FlagValues()


def _truth(text: str) -> bool:
    words = {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False}
    if text.lower() not in words:
        raise ValueError("a bool is true or false")
    return words[text.lower()]


def _integer(text: str) -> int:
    return int(text, 0)


def _definer(kind: str, parse: Callable[[str], Any], multi: bool = False) -> Callable[..., None]:
    def define(name: str, default: Any, help: str | None, flag_values: FlagValues = FLAGS,
               **args: Any) -> None:  # fmt: skip
        value = parse(default) if isinstance(default, str) and parse is not str else default
        if multi and value is not None and not isinstance(value, list):
            value = [value]
        flag_values.define(_Flag(name, value, help or "", parse, kind == "bool", multi))

    define.__name__ = define.__qualname__ = f"DEFINE_{kind}"
    define.__doc__ = f"""Define a flag of the kind {kind}.

    Args:
        name: name of the flag.
        default: value that it has where the command line does not say it.
        help: text about it.
        flag_values: flags that it is added to.
        args: not used.
    Returns:
        None.
    Raises:
        Error: there is such a flag with another meaning.
    """
    return define


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",")] if text else []


DEFINE_string = _definer("string", str)
DEFINE_integer = _definer("integer", _integer)
DEFINE_float = _definer("float", float)
DEFINE_bool = DEFINE_boolean = _definer("bool", _truth)
DEFINE_list = _definer("list", _words)
DEFINE_multi_string = _definer("multi_string", str, multi=True)
DEFINE_multi_integer = _definer("multi_integer", _integer, multi=True)
DEFINE_multi_float = _definer("multi_float", float, multi=True)


def DEFINE_enum(name: str, default: str | None, enum_values: Sequence[str], help: str | None,
                flag_values: FlagValues = FLAGS, **args: Any) -> None:  # fmt: skip
    """Define a flag that has one of several values.

    Args:
        name: name of the flag.
        default: value that it has where the command line does not say it.
        enum_values: the values.
        help: text about it.
        flag_values: flags that it is added to.
        args: not used.
    Returns:
        None.
    Raises:
        Error: there is such a flag with another meaning.
    """

    def parse(text: str) -> str:
        if text not in enum_values:
            raise ValueError(f"value should be one of <{'|'.join(enum_values)}>")
        return text

    flag_values.define(_Flag(name, default, help or "", parse))


def DEFINE_alias(name: str, original_name: str, flag_values: FlagValues = FLAGS,
                 **args: Any) -> None:  # fmt: skip
    """Give a flag another name.

    Args:
        name: the other name.
        original_name: name of the flag.
        flag_values: the flags.
        args: not used.
    Returns:
        None.
    """
    flag_values._aliases[name] = original_name


def mark_flag_as_required(flag_name: str, flag_values: FlagValues = FLAGS) -> None:
    """Require a flag to have a value when the command line is read.

    Args:
        flag_name: name of the flag.
        flag_values: the flags.
    Returns:
        None.
    """
    flag_values._required.append(flag_name)


def mark_flags_as_required(flag_names: Sequence[str], flag_values: FlagValues = FLAGS) -> None:
    """Require flags to have values when the command line is read.

    Args:
        flag_names: names of the flags.
        flag_values: the flags.
    Returns:
        None.
    """
    for name in flag_names:
        mark_flag_as_required(name, flag_values)
