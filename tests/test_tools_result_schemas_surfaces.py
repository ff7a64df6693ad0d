"""A driven program answers little: that it was done, or what is shown."""

from __future__ import annotations

import pytest

from generator.jsontext import JsonObject
from generator.tools.result_schemas import derive_result_schema

TEXT: JsonObject = {"type": "string"}


@pytest.mark.parametrize(
    ("name", "required", "fields"),
    [
        ("browser_click", ["element", "target"], {"success", "element"}),
        ("browser_press_key", ["key"], {"success", "key"}),
        ("browser_resize", [], {"success"}),
        ("browser_emulate_media", [], {"success"}),
        ("browser_navigate", ["url"], {"url", "title"}),
        ("browser_snapshot", [], {"url", "title", "elements"}),
        ("browser_console_messages", [], {"messages"}),
        ("browser_network_requests", [], {"requests"}),
        ("browser_evaluate", ["function"], {"result"}),
        ("browser_pdf_save", [], {"path"}),
        ("browser_verify_text_visible", ["text"], {"verified"}),
    ],
)
def test_a_browser_answers_as_little_as_a_real_one(name: str, required: list[str], fields: set[str]) -> None:
    parameters: JsonObject = {"type": "object", "properties": dict.fromkeys(required, TEXT), "required": required}
    assert set(derive_result_schema(name, "", parameters)["properties"]) == fields


def test_an_upload_tells_its_paths() -> None:
    paths: JsonObject = {"type": "array", "items": TEXT}
    parameters: JsonObject = {"type": "object", "properties": {"paths": paths}, "required": ["paths"]}
    schema = derive_result_schema("browser_file_upload", "", parameters)
    assert schema["properties"]["paths"] == paths
