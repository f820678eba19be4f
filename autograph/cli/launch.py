"""``autograph launch``: runs a script in several processes that MPI connects.

Part of the command line, so it may import the runtime.
"""

from __future__ import annotations

import argparse
import os

from autograph.conversion.module_source import FileError

OK, FAILED = 0, 1


def run(options: argparse.Namespace) -> int:
    """Run ``options.script``; return 0, or the code of the first process that failed."""
    if not os.path.isfile(options.script):
        raise FileError("no such file", options.script)
    from runtime.distribute.launching import launch_script
    from runtime.errors import OpError

    try:
        launch_script(
            options.script, options.arguments, options.processes, options.restarts, options.timeout
        )
    except (OpError, ModuleNotFoundError) as error:
        raise FileError(f"{type(error).__name__}: {error}", options.script) from None
    except SystemExit as ending:
        return ending.code if isinstance(ending.code, int) else FAILED
    except Exception:  # of the script, whose traceback its process has shown
        return FAILED
    return OK
