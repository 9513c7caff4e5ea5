"""Tokeniser file: the tokens of a model by its `tokenizer.json`, where budgets shall be counted as it counts.

The file is data: the package `tokenizers` (extra `tokenizer`) reads it, and asks nothing over the network.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from webbench.core.errors import UsageError
from webbench.core.models.tokens import Pieces
from webbench.core.text.plain_text import plain_clip

PACKAGE = "tokenizers"
INSTALL = "pip install 'webbench-tui[tokenizer]', or leave tokenizer out: tokens are then counted about"
LARGEST = 64 * 1024 * 1024
"""Bytes; vocabularies of 250,000 tokens take 17 million."""


@lru_cache(maxsize=2)
def pieces_of(file: str) -> Pieces:
    """Tokens by a `tokenizer.json`, without those that only mark beginning and end.

    Raises `UsageError` where the package or the file is missing, and where the file is no tokeniser.
    """
    path = Path(file).expanduser()
    if find_spec(PACKAGE) is None:
        raise UsageError(f"a tokeniser file takes the package {PACKAGE}", INSTALL)
    try:
        size = path.stat().st_size
    except OSError as error:
        raise UsageError(f"the tokeniser {path} can't be read: {error.strerror or error}") from error
    if size > LARGEST:
        raise UsageError(f"the tokeniser {path} has {size:,} bytes, more than {LARGEST:,}")
    from tokenizers import Tokenizer  # pyright: ignore[reportMissingImports]  # of the extra `tokenizer`

    try:
        tokeniser = Tokenizer.from_file(str(path))
    except Exception as error:  # the package raises nothing more special
        why = plain_clip(str(error), 200)
        raise UsageError(f"{path} is no tokenizer.json: {why}") from error
    tokeniser.no_truncation()
    tokeniser.no_padding()

    def pieces(text: str) -> list[tuple[int, int]]:
        sound = text.encode("utf-8", "replace").decode()
        return list(tokeniser.encode(sound, add_special_tokens=False).offsets)

    return pieces
