"""A chat template and the special tokens it writes: read from a file, or from the folder of a tokenizer or a model."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import orjson

from generator.disk import disk_errors
from generator.errors import UsageError
from generator.jsontext import JsonObject, JsonValue

LARGEST = 16 * 1024 * 1024
"""Bytes of the largest file that is read: some tokenizer_config.json list every token."""
LONGEST = 1_000_000
"""Characters of the longest template."""
_SPECIAL = ("bos_token", "eos_token", "unk_token", "pad_token")
_FOR_TOOLS = "tool_use"
"""The template that `transformers` takes for records with tools, where a tokenizer has several."""
_TEXTS = (".jinja", ".jinja2", ".j2", ".txt")
_FILES = ("chat_template.jinja", "chat_template.json", "tokenizer_config.json")
_WHAT = "a chat template (.jinja), a tokenizer_config.json, or a folder that holds one of them"


@dataclass(frozen=True, slots=True)
class ChatTemplate:
    """The text of a template, and what it is told of the tokenizer."""

    source: str
    """The file it was read from."""
    text: str
    tokens: dict[str, str] = field(default_factory=lambda: {"bos_token": "<s>", "eos_token": "</s>"})

    @property
    def for_trainer(self) -> str:
        """What a trainer is told to find it: the file, or the folder of the tokenizer."""
        path = Path(self.source)
        return str(path.parent) if path.suffix == ".json" else self.source

    @property
    def marks_answers(self) -> bool:
        """Whether it marks what the assistant says, so that a trainer can train on that alone."""
        return "endgeneration" in self.text


def read_template(path: Path) -> ChatTemplate:
    """Read the template of a file or folder.

    Raises:
        UsageError: there is none, or what is there is none.
        StorageError: it cannot be read.
    """
    if path.is_dir():
        return _of_folder(path)
    if not path.is_file():
        raise UsageError(f"{path}: is no file: a chat template is read from a file or a folder")
    if path.suffix == ".json":
        return _of_settings(path, _settings(path))
    if path.suffix not in _TEXTS:
        raise UsageError(f"{path}: is not {_WHAT}")
    return _made(path, _text(path))


def _of_folder(folder: Path) -> ChatTemplate:
    """Return the template of a folder: that for tools, else its only one, as `transformers` looks for it."""
    settings_file = folder / "tokenizer_config.json"
    settings = _settings(settings_file) if settings_file.is_file() else {}
    for path in (folder / "additional_chat_templates" / f"{_FOR_TOOLS}.jinja", folder / _FILES[0]):
        if path.is_file():
            return _made(path, _text(path), settings)
    of_processor = folder / _FILES[1]
    if of_processor.is_file():
        return _of_settings(of_processor, {**settings, **_settings(of_processor)})
    if settings:
        return _of_settings(settings_file, settings)
    raise UsageError(f"{folder}: holds none of {', '.join(_FILES)}")


def _of_settings(path: Path, settings: JsonObject) -> ChatTemplate:
    found = settings.get("chat_template")
    if isinstance(found, list):
        named = {each.get("name"): each.get("template") for each in found if isinstance(each, dict)}
        found = named.get(_FOR_TOOLS, named.get("default"))
    if not isinstance(found, str):
        raise UsageError(f"{path}: has no chat_template; give --for a chat template file (.jinja)")
    return _made(path, found, settings)


def _made(path: Path, text: str, settings: JsonObject | None = None) -> ChatTemplate:
    if len(text) > LONGEST:
        raise UsageError(f"{path}: the chat template has {len(text):,} characters; {LONGEST:,} are read at most")
    told = {name: _token((settings or {}).get(name)) for name in _SPECIAL}
    known = {name: token for name, token in told.items() if token is not None}
    return ChatTemplate(str(path), text, known) if known else ChatTemplate(str(path), text)


def _token(value: JsonValue) -> str | None:
    """Return a special token, which some files write as an object."""
    content = value.get("content") if isinstance(value, dict) else value
    return content if isinstance(content, str) else None


def _settings(path: Path) -> JsonObject:
    try:
        settings = orjson.loads(_text(path))
    except orjson.JSONDecodeError as error:
        raise UsageError(f"{path}: is no JSON: {error}") from error
    if not isinstance(settings, dict):
        raise UsageError(f"{path}: is not {_WHAT}")
    return settings


def _text(path: Path) -> str:
    with disk_errors(path), path.open("rb") as stream:
        read = stream.read(LARGEST + 1)
    if len(read) > LARGEST:
        raise UsageError(f"{path}: is larger than {LARGEST // 2**20} MB, which no chat template is")
    try:
        return read.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: is no text in UTF-8: {error}") from error
