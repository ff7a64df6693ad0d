"""Masks: records whose tools and parameters have scrambled names, judged by their own ones."""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import JsonObject, JsonValue, digest
from generator.masking import unmasked
from generator.tools.tool import Tool
from generator.validation.rule import Check, Finding
from generator.validation.say import brief
from generator.validation.tool_view import ToolView
from generator.validation.view import RecordView

_PLACE = "/metadata/mask"
_PARTS = ("tools", "parameters")


def mask_of(record: RecordView) -> JsonObject | None:
    """Return the mask that a record tells, from masked names to original ones; None where it tells none."""
    told = record.metadata.get("mask")
    if not isinstance(told, dict) or set(told) != set(_PARTS) or not all(_is_naming(told[part]) for part in _PARTS):
        return None
    return told


def _is_naming(names: JsonValue) -> bool:
    return isinstance(names, dict) and all(isinstance(name, str) for name in names.values())


def by_its_own_names(record: RecordView) -> RecordView:
    """Return a record without its mask; itself where it has none."""
    told = mask_of(record)
    if told is None or not record.has_messages or not record.shows_tools:
        return record
    return RecordView(unmasked(record.entry, told), catalog=record.catalog, generated=record.generated)


def known_tool(record: RecordView, tool: ToolView) -> Tool | None:
    """Return the tool of the catalog that a record shows, by its own names; None where no catalog knows it."""
    if record.catalog is None:
        return None
    told = mask_of(record)
    if told is None:
        return record.catalog.by_fingerprint.get(tool.fingerprint)
    (shown,) = unmasked({"messages": [], "tools": [tool.raw]}, told)["tools"]
    return record.catalog.by_fingerprint.get(digest(shown))


def _mask_is_one_to_one(record: RecordView) -> Iterator[Finding]:
    if "mask" not in record.metadata:
        return
    told = mask_of(record)
    if told is None:
        yield Finding(_PLACE, "a mask has `tools` and `parameters`, each from the masked name to the original")
        return
    for part in _PARTS:
        if len(set(told[part].values())) < len(told[part]):
            yield Finding(f"{_PLACE}/{part}", "two masked names stand for one original")
    for tool in record.tools:
        if tool.name not in told["tools"]:
            yield Finding(f"{_PLACE}/tools", f"the mask does not tell what {brief(tool.name)} stands for")
        for name in tool.property_names:
            if name not in told["parameters"]:
                yield Finding(f"{_PLACE}/parameters", f"the mask does not tell what {brief(name)} stands for")


CHECKS: dict[str, Check] = {
    "TC117": Check(_mask_is_one_to_one),
}
