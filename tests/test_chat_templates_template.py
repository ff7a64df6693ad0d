"""A chat template is read from a file, from the settings of a tokenizer, or from a folder, and nothing else is."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from generator.chat_templates.template import LARGEST, LONGEST, ChatTemplate, read_template
from generator.errors import UsageError

TEXT = "{{ messages }}"
SETTINGS = {
    "chat_template": TEXT,
    "bos_token": {"content": "<b>", "lstrip": False},
    "eos_token": "<e>",
    "pad_token": None,
}


def write(folder: Path, files: dict[str, object]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", ["a.jinja", "a.jinja2", "a.j2", "a.txt"])
def test_a_file_of_text_is_a_template(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, {name: "\ufeff" + TEXT}) / name
    assert read_template(path) == ChatTemplate(str(path), TEXT)


def test_settings_hold_a_template_and_special_tokens(tmp_path: Path) -> None:
    path = write(tmp_path, {"tokenizer_config.json": SETTINGS}) / "tokenizer_config.json"
    assert read_template(path) == ChatTemplate(str(path), TEXT, {"bos_token": "<b>", "eos_token": "<e>"})
    assert read_template(path).for_trainer == str(tmp_path)


@pytest.mark.parametrize(
    ("named", "taken"),
    [
        ([{"name": "default", "template": "plain"}, {"name": "tool_use", "template": "tools"}], "tools"),
        ([{"name": "rag", "template": "rag"}, {"name": "default", "template": "plain"}], "plain"),
    ],
)
def test_of_several_templates_that_for_tools_is_taken(tmp_path: Path, named: object, taken: str) -> None:
    assert read_template(write(tmp_path, {"tokenizer_config.json": {"chat_template": named}})).text == taken


FOLDERS = {
    "chat_template.jinja": {"chat_template.jinja": "it", "tokenizer_config.json": SETTINGS},
    "additional_chat_templates/tool_use.jinja": {
        "chat_template.jinja": "plain", "additional_chat_templates/tool_use.jinja": "it", "tokenizer_config.json": {}},
    "chat_template.json": {"chat_template.json": {"chat_template": "it"}, "tokenizer_config.json": SETTINGS},
    "tokenizer_config.json": {"tokenizer_config.json": {"chat_template": "it"}},
}  # fmt: skip


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_is_searched_as_transformers_does(tmp_path: Path, name: str) -> None:
    read = read_template(write(tmp_path, FOLDERS[name]))
    assert (read.text, read.source) == ("it", str(tmp_path / name))


BAD: dict[str, tuple[dict[str, object], str, str]] = {
    "an empty folder": ({}, "", "holds none of chat_template.jinja"),
    "no template": ({"tokenizer_config.json": {"eos_token": "x"}}, "tokenizer_config.json", "has no chat_template"),
    "a template that is no text": ({"a.json": {"chat_template": 3}}, "a.json", "has no chat_template"),
    "templates that are none": ({"a.json": {"chat_template": [3, {"name": "x"}]}}, "a.json", "has no chat_template"),
    "no object": ({"a.json": [1]}, "a.json", "is not a chat template"),
    "no JSON": ({"a.json": "{"}, "a.json", "is no JSON"),
    "another file": ({"model.gguf": "x"}, "model.gguf", "is not a chat template"),
    "a long template": ({"a.jinja": "x" * (LONGEST + 1)}, "a.jinja", "1,000,001 characters"),
    "a large file": ({"a.jinja": "x" * (LARGEST + 1)}, "a.jinja", "is larger than 16 MB"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_template_is_told(tmp_path: Path, name: str) -> None:
    files, path, message = BAD[name]
    with pytest.raises(UsageError, match=message) as caught:
        read_template(write(tmp_path, files) / path)
    assert str(caught.value).startswith(str(tmp_path / path))


def test_bytes_that_are_no_text_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.jinja").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="is no text in UTF-8"):
        read_template(tmp_path / "a.jinja")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.jinja")
    with pytest.raises(UsageError, match="is no file"):
        read_template(tmp_path / "a.jinja")
