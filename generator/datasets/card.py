"""The card of a data set: what Hugging Face reads in its header, and what people want to know.

What records say of themselves is data: the header is written by a YAML writer, the text with every mark of Markdown
and HTML escaped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import yaml

from generator.formats.conversation import function_of
from generator.jsontext import JsonObject, JsonValue

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_LARGEST = "1M<n<10M"
_LANGUAGE = re.compile(r"[a-z]{2,3}")
_MARKS = re.compile(r"([\\`*{}\[\]<>()#!|&~$:@'\"=^%/;?]|(?<![^\W_])_|_(?![^\W_])|\.(?=[^\s\d]))")
"""What Markdown or HTML may obey; an underscore inside a word and a point before a number are text."""
_TAGS = ("function-calling", "tool-use", "synthetic")
_LONGEST = 80
_LONGEST_NOTE = 1_000
_MOST_KINDS = 100
_MOST_MAKERS = 10


@dataclass(slots=True)
class Facts:
    """What a card tells, counted while the records are written."""

    columns: tuple[str, ...] = ()
    splits: Counter[str] | dict[str, int] = field(default_factory=Counter)
    kinds: dict[str, Counter[str]] = field(default_factory=dict)
    """Records by kind, and in it by split."""
    tools: set[str] = field(default_factory=set)
    languages: set[str] = field(default_factory=set)
    makers: Counter[str] = field(default_factory=Counter)
    """Records by what made them."""
    notes: Sequence[str] = ()
    """Sentences on how the records were chosen and split."""

    def count(self, document: JsonObject, split: str) -> None:
        """Count one record."""
        metadata = document.get("metadata")
        known: JsonObject = metadata if isinstance(metadata, dict) else {}
        self.splits[split] = self.splits.get(split, 0) + 1
        self.kinds.setdefault(str(known.get("kind", "")), Counter())[split] += 1
        self.tools.update(str(function_of(tool).get("name")) for tool in document.get("tools", []))
        language = str(known.get("locale", "")).partition("_")[0]
        if _LANGUAGE.fullmatch(language):
            self.languages.add(language)
        if known:
            self.makers[_maker(known)] += 1


def _maker(metadata: JsonObject) -> str:
    def word(name: str) -> JsonValue:
        return metadata.get(name, "?")

    return f"toolgen {word('toolgen_version')}, author {word('author')}"


def card(name: str, facts: Facts) -> str:
    """Write the card of a data set; the same records give the same card."""
    return f"{_header(facts)}\n# {_shown(name)}\n\n{_text(facts)}\n{_table(facts)}{_loading(facts)}"


_OF_SPLIT = re.compile(r"data/(?:([\w.-]+)/)?([A-Za-z_]\w*)(?:-\d+-of-\d+)?\.(?:jsonl|json|parquet)(?:\.gz|\.zst)?")
_OF_RECORDS = re.compile(r"([\w.-]+)\.(?:jsonl|parquet)(?:\.gz|\.zst)?")


def card_of_files(name: str, files: Sequence[str]) -> str:
    """Write the card of a folder that has none: its name, and which file is which split.

    Args:
        name: what it is headed with.
        files: the names of the files: `data/SPLIT.jsonl`, `data/FORMAT/SPLIT.jsonl`, their parts in Parquet, or lines
            of records beside no folder `data`.
    """
    configs = [
        {"config_name": each, "data_files": [{"split": split, "path": paths} for split, paths in splits.items()]}
        for each, splits in _splits_of(files).items()
    ]
    header: JsonObject = {**({"configs": configs} if configs else {}), "tags": list(_TAGS)}
    return f"---\n{yaml.safe_dump(header, sort_keys=False)}---\n\n# {_shown(name)}\n\nTool-calling conversations.\n"


def _splits_of(files: Sequence[str]) -> dict[str, dict[str, list[str]]]:
    """Return the files of each split, by the name of the configuration: its format."""
    found: dict[str, dict[str, list[str]]] = {}
    for file in files:
        if named := _OF_SPLIT.fullmatch(file):
            found.setdefault(named[1] or "default", {}).setdefault(named[2], []).append(file)
    if not found and (records := [file for file in files if _OF_RECORDS.fullmatch(file)]):
        found["default"] = {"train": records}
    return found


def _shown(text: str, longest: int = _LONGEST) -> str:
    """Return a text from outside as it is read in Markdown: one line, no markup, no character that is not seen."""
    seen = "".join(each if each.isprintable() else "\ufffd" for each in " ".join(text.split()))
    return _MARKS.sub(r"\\\1", seen if len(seen) <= longest else f"{seen[:longest]}…")


def _header(facts: Facts) -> str:
    total = sum(facts.splits.values())
    files = [{"split": split, "path": f"data/{split}-*.parquet"} for split in facts.splits]
    columns = [{"name": name, "dtype" if name == "metadata" else "list": "json"} for name in facts.columns]
    header: JsonObject = {
        "configs": [{"config_name": "default", "data_files": files}],
        "dataset_info": {"features": columns},
        "task_categories": ["text-generation"],
        **({"language": sorted(facts.languages)} if facts.languages else {}),
        "tags": list(_TAGS),
        "size_categories": [next((word for limit, word in _SIZES if total < limit), _LARGEST)],
    }
    return f"---\n{yaml.safe_dump(header, sort_keys=False)}---\n"


def _text(facts: Facts) -> str:
    total = sum(facts.splits.values())
    makers = [f"{count:,} by {_shown(maker)}" for maker, count in sorted(facts.makers.items())[:_MOST_MAKERS]]
    makers += [f"{len(facts.makers) - _MOST_MAKERS:,} more"] if len(facts.makers) > _MOST_MAKERS else []
    made = f" Made: {'; '.join(makers)}." if makers else ""
    tools = f"{len(facts.tools):,} tools"
    return (
        f"{total:,} tool-calling conversations over {tools}: `messages` and `tools` in the DeepFabric form, the "
        f"arguments of calls as objects.{made}\n"
        + "".join(f"\n{_shown(note, _LONGEST_NOTE)}\n" for note in facts.notes)
    )


def _table(facts: Facts) -> str:
    names = list(facts.splits)
    lines = [f"| kind | {' | '.join(names)} |", "|---|" + "---|" * len(names)]
    for kind, counts in sorted(facts.kinds.items())[:_MOST_KINDS]:
        lines.append(f"| {_shown(kind) or 'not told'} | {' | '.join(f'{counts[name]:,}' for name in names)} |")
    if len(facts.kinds) > _MOST_KINDS:
        lines.append(f"| {len(facts.kinds) - _MOST_KINDS:,} more |{' |' * len(names)}")
    return "\n".join(lines) + "\n"


def _loading(facts: Facts) -> str:
    split = next(iter(facts.splits), "train")
    return (
        "\nLoad it with `datasets` 4.7 or newer, which knows cells of JSON:\n```python\n"
        f'from datasets import load_dataset\n\nrecords = load_dataset("PATH", split="{split}")\n```\n'
    )
