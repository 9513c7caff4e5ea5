"""A package that can't be imported, and talks before it fails."""

import sys

print('{"package": {"name": "forged"}}')
sys.__stdout__.write('{"python": "forged"}\n')
import no_such_module  # noqa: E402, F401 - it breaks on import
