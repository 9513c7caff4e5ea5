"""How DevTools' `Fetch` is told what a request filter has decided."""

from __future__ import annotations

import base64

from webbench.core.environment import DOCUMENT, NetworkAnswer
from webbench.core.json_types import JsonObject


def fetch_command(answer: NetworkAnswer, resource_type: str) -> tuple[str, JsonObject]:
    """The command that carries out an answer, and its parameters but for the request's id."""
    if answer.decision == "fulfil":
        headers = [{"name": name, "value": value} for name, value in answer.headers.items()]
        body = base64.b64encode(answer.body).decode("ascii")
        command = {"responseCode": answer.status, "responseHeaders": headers, "body": body}
        return "Fetch.fulfillRequest", command
    if answer.decision == "abort":
        reason = "Aborted" if resource_type == DOCUMENT else "BlockedByClient"
        return "Fetch.failRequest", {"errorReason": reason}
    return "Fetch.continueRequest", {}
