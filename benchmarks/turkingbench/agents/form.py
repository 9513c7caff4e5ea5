"""A page's form fields as its HTML tells them: what an agent that asked for the HTML can know."""

from __future__ import annotations

from html.parser import HTMLParser

import msgspec


class FormField(msgspec.Struct):
    """A named field.

    Attributes:
        type: "text", "radio", "checkbox", "select", "textarea", ...
        options: values of its same-named elements (radio, checkbox) or of its options, in page order.
        ticked: those that are chosen from the start.
        readonly: nothing can be typed into it.
    """

    name: str
    type: str
    options: list[str] = []
    ticked: list[str] = []
    readonly: bool = False


def form_fields(html: str) -> dict[str, FormField]:
    """Fields by name, in page order. Never raises; what is no field is ignored."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    reader.finish_option()
    return reader.fields


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.fields: dict[str, FormField] = {}
        self._select: FormField | None = None
        self._option: dict[str, str | None] | None = None
        self._option_text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "option":
            self.finish_option()
            self._option, self._option_text = attributes, ""
        elif tag == "select":
            self._select = self._field(attributes, "select")
        elif tag == "textarea":
            self._field(attributes, "textarea")
        elif tag == "input":
            self._input(attributes)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("option", "select"):
            self.finish_option()
        if tag == "select":
            self._select = None

    def handle_data(self, data: str) -> None:
        if self._option is not None:
            self._option_text += data

    def finish_option(self) -> None:
        """End the open option of a list, whose end tag may be missing."""
        attributes, self._option = self._option, None
        if attributes is None or self._select is None:
            return
        value = attributes.get("value")
        value = " ".join(self._option_text.split()) if value is None else value
        self._select.options.append(value)
        if "selected" in attributes:
            self._select.ticked.append(value)

    def _input(self, attributes: dict[str, str | None]) -> None:
        kind = (attributes.get("type") or "text").lower()
        field = self._field(attributes, kind)
        if field is not None and kind in ("radio", "checkbox"):
            value = attributes.get("value")
            field.options.append("on" if value is None else value)
            if "checked" in attributes:
                field.ticked.append(field.options[-1])

    def _field(self, attributes: dict[str, str | None], kind: str) -> FormField | None:
        name = attributes.get("name")
        if not name:
            return None
        field = self.fields.setdefault(name, FormField(name, kind))
        field.readonly = field.readonly or "readonly" in attributes
        return field
