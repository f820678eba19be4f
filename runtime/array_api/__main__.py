"""``ARRAY_API_TESTS_MODULE=runtime.array_api python -m runtime.array_api ARGUMENTS OF PYTEST``.

Runs pytest, on the suite array-api-tests, with operators that promote as the standard says.
"""

import sys

from runtime.array_api import promote_operators

if __name__ == "__main__":
    import pytest

    promote_operators()
    sys.exit(pytest.main(sys.argv[1:]))
