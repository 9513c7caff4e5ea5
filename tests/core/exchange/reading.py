"""Reading a place with one format, as the import does."""

from pathlib import Path

from webbench.core.exchange.import_format import Format, ImportedEpisode, ImportedStep
from webbench.core.exchange.place import Place


def read(
    format: Format, path: Path, root: Path | None = None
) -> list[tuple[ImportedEpisode, list[ImportedStep]]]:
    """Every episode of a place that the format claims, with its steps."""
    place = Place(path, root or path)
    claim = format.claim(place)
    assert claim is not None
    assert claim.kind == "episodes"
    return [(episode, list(episode.steps)) for episode in format.episodes(place)]
