"""Blinding: what an annotator of a blind study gets to see of an episode: everything but scores."""

from __future__ import annotations

import msgspec

from webbench.core.engine.wire import catalogue_messages, messages


def blinded(event: messages.Event) -> messages.Event | None:
    """The event without scores and what they rest on; None where there is nothing else in it."""
    match event:
        case messages.Scored() | messages.AnswerPreviewed() | messages.FiguresCounted():
            return None
        case catalogue_messages.ResultsListed():
            return None
        case messages.StepRecorded(step=step):
            return messages.StepRecorded(step=msgspec.structs.replace(step, score=None, evidence={}))
        case messages.EpisodeEnded(header=header):
            return messages.EpisodeEnded(header=msgspec.structs.replace(header, score=None))
        case _:
            return event
