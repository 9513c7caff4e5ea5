"""How much is tried: `make test` is for every change and has minutes, `make thorough` has hours."""

import os

THOROUGH = os.environ.get("WEBBENCH_THOROUGH") == "1"
SHARE = 4


def examples(most: int) -> int:
    """Random examples for one property: all in `make thorough`, else a quarter, others each time."""
    return most if THOROUGH else -(-most // SHARE)
