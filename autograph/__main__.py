"""``python -m autograph``: the command line without an installed command."""

import sys

from autograph.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
