"""An opened encoder, by its name.

Names: `hashed` (words, needs nothing), `minilm` (the packaged all-MiniLM-L6-v2, extra `ranking`), any folder
with a sentence-transformers model or a checkpoint of ours (see `folder_of`), and any name that
sentence-transformers has in its own cache, such as `BAAI/bge-small-en-v1.5`. Nothing is downloaded here.
"""

from __future__ import annotations

from webbench.benchmarks.weblinx.relevance import hashed_words, sentence_encoder
from webbench.benchmarks.weblinx.relevance.encoders import HASHED, Encoder, folder_of


def opened_encoder(name: str) -> Encoder:
    """The encoder of a name or in a folder.

    Raises `UsageError` where what it needs is not installed or not there, `BadData` for a damaged folder and
    for one with weights that would have to be unpickled.
    """
    if name == HASHED:
        return hashed_words.HashedWords()
    folder = folder_of(name)
    if folder is not None and (folder / hashed_words.WEIGHTS).is_file():
        return hashed_words.opened(folder)
    return sentence_encoder.opened(name)
