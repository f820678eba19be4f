"""Converts every function of the pure-Python standard library, on demand.

    python -m tests.slow.convert_stdlib [MODULE ...]

Prints what does not convert, or converts to text that does not parse, and the totals.
"""

from __future__ import annotations

import ast
import importlib
import sys
import time
import warnings

import autograph
from autograph.errors import NoSourceError
from tests.slow.replacing import functions

MODULES = """abc argparse ast asyncio.base_events asyncio.tasks asyncio.streams base64 bdb bisect
calendar cmd code codecs collections colorsys configparser contextlib copy csv dataclasses datetime
decimal difflib dis doctest email.message email.header email.generator email.feedparser enum
filecmp fileinput fnmatch fractions ftplib functools gettext glob graphlib gzip heapq hmac
html.parser http.client http.cookies http.server imaplib inspect ipaddress json.decoder
json.encoder keyword linecache locale logging logging.handlers mailbox mimetypes
multiprocessing.pool netrc numbers opcode operator optparse os pathlib pdb pickle pickletools
pkgutil platform plistlib poplib posixpath pprint profile pstats py_compile pyclbr queue quopri
random re._compiler re._parser reprlib sched selectors shelve shlex shutil smtplib socket
socketserver ssl statistics string subprocess symtable tarfile tempfile textwrap threading timeit
token tokenize tomllib._parser trace traceback tracemalloc turtle types typing unittest.case
unittest.loader unittest.main unittest.mock unittest.runner unittest.suite urllib.parse
urllib.request uuid warnings wave weakref xml.dom.minidom xml.etree.ElementTree xmlrpc.client
zipfile zipimport""".split()


def main(names: list[str]) -> int:
    """Convert the functions of the named modules; the exit code says whether all went well."""
    warnings.simplefilter("ignore")
    total = failed = unparsed = unsourced = 0
    start = time.perf_counter()
    for name in names or MODULES:
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        for function in functions(module):
            total += 1
            where = f"{name}.{function.__qualname__}"
            try:
                autograph.to_graph(function)
                text = autograph.to_code(function)
            except NoSourceError as error:
                unsourced += 1
                print(f"no source: {where}: {str(error)[:150]}")
                continue
            except Exception as error:
                failed += 1
                print(f"FAILED {where}: {type(error).__name__}: {str(error)[:300]}")
                continue
            try:
                ast.parse(text)
            except SyntaxError as error:
                unparsed += 1
                print(f"UNPARSED {where}: {error}")
    elapsed = time.perf_counter() - start
    print(f"{total} functions in {elapsed:.1f} s: {failed} failed, {unparsed} do not parse, "
          f"{unsourced} without source")
    return 1 if failed or unparsed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
