"""Files of settings: what is read, and how a mistake is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import JobError, UsageError
from generator.settings_file import read_settings


@pytest.mark.parametrize("text", ["count = 3\n[mix]\nsimple = 1\n", '{"count": 3, "mix": {"simple": 1}}'])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_toml_and_json_say_the_same(tmp_path: Path, text: str, mark: bytes) -> None:
    file = tmp_path / "settings"
    file.write_bytes(mark + text.encode())
    assert read_settings(file, "--job", "job file").held == {"count": 3, "mix": {"simple": 1}}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read: No such file or directory; give --job a TOML or JSON file"),
        (b" " * 1_000_001, "larger than 1,000,000 bytes, this is no job file"),
        (b"a = '\xff'", "not UTF-8 at byte 5"),
        (b'{"a": 1,\n}', ":2:1: broken JSON"),
        (b"a = \n", "broken TOML"),
        (b'{"a":' + b"[" * 100_000, "nested too deep"),
        (b'{"a": ' + b"9" * 5000 + b"}", "a number is too long; this is no job file"),
    ],
)
@pytest.mark.parametrize("error", [UsageError, JobError])
def test_a_mistake_is_told_with_its_place(
    tmp_path: Path, content: bytes | None, words: str, error: type[UsageError]
) -> None:
    file = tmp_path / "settings"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(error) as raised:
        read_settings(file, "--job", "job file", error)
    assert str(raised.value).startswith(str(file))
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("seed = 1\ncount = 2", "count", ":2"),
        ('# count\n  "count"  = 2', "count", ":2"),
        ("seed = 1\n[mix]\nsimple = 1", "mix", ":2"),
        ("seed = 1\nmix.simple = 1", "mix", ":2"),
        ('{"seed": 1,\n "a.b": 2}', "a.b", ":2"),
        ('a = 1\n"co\\u0075nt" = 2', "count", ""),
    ],
)
def test_a_key_has_its_line(tmp_path: Path, text: str, key: str, line: str) -> None:
    file = tmp_path / "settings"
    file.write_text(text)
    assert read_settings(file, "--job", "job file").place(key) == f"{file}{line}"
