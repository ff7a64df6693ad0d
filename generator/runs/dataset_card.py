"""The card of a data set: what Hugging Face reads in its header, and what people want to know."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from generator.formats.conversation import function_of
from generator.jsontext import JsonObject, JsonValue

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_LARGEST = "1M<n<10M"


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

    def count(self, document: JsonObject, split: str) -> None:
        """Count one record."""
        metadata = document.get("metadata")
        told: JsonObject = metadata if isinstance(metadata, dict) else {}
        self.splits[split] = self.splits.get(split, 0) + 1
        self.kinds.setdefault(str(told.get("kind", "")), Counter())[split] += 1
        self.tools.update(str(function_of(tool).get("name")) for tool in document.get("tools", []))
        if isinstance(told.get("locale"), str):
            self.languages.add(told["locale"].partition("_")[0])
        if told:
            self.makers[_maker(told)] += 1


def _maker(told: JsonObject) -> str:
    def word(name: str) -> JsonValue:
        return told.get(name, "?")

    return f"toolgen {word('toolgen_version')}, author {word('author')}"


def card(name: str, facts: Facts) -> str:
    """Write the card of a data set; the same records give the same card."""
    return f"{_header(facts)}\n# {name}\n\n{_text(facts)}\n{_table(facts)}{_loading(facts)}"


def _header(facts: Facts) -> str:
    total = sum(facts.splits.values())
    size = next((word for limit, word in _SIZES if total < limit), _LARGEST)
    lines = ["---", "configs:", "- config_name: default", "  data_files:"]
    for split in facts.splits:
        lines += [f"  - split: {split}", f"    path: data/{split}-*.parquet"]
    lines += ["dataset_info:", "  features:"]
    lines += [f"  - name: {name}\n    {'dtype' if name == 'metadata' else 'list'}: json" for name in facts.columns]
    lines += ["task_categories:", "- text-generation"]
    lines += ["language:", *(f"- {language}" for language in sorted(facts.languages))] if facts.languages else []
    lines += ["tags:", "- function-calling", "- tool-use", "- synthetic", "size_categories:", f"- {size}", "---", ""]
    return "\n".join(lines)


def _text(facts: Facts) -> str:
    total = sum(facts.splits.values())
    made = "; ".join(f"{count:,} by {maker}" for maker, count in sorted(facts.makers.items()))
    tools = f"{len(facts.tools):,} tools"
    return (
        f"{total:,} tool-calling conversations over {tools}: `messages` and `tools` in the DeepFabric form, the "
        f"arguments of calls as objects.{f' Made: {made}.' if made else ''}\n"
    )


def _table(facts: Facts) -> str:
    names = list(facts.splits)
    lines = [f"| kind | {' | '.join(names)} |", "|---|" + "---|" * len(names)]
    for kind, counts in sorted(facts.kinds.items()):
        lines.append(f"| {kind or 'not told'} | {' | '.join(f'{counts[name]:,}' for name in names)} |")
    return "\n".join(lines) + "\n"


def _loading(facts: Facts) -> str:
    split = next(iter(facts.splits), "train")
    return (
        "\nLoad it with `datasets` 4.7 or newer, which knows cells of JSON:\n```python\n"
        f'from datasets import load_dataset\n\nrecords = load_dataset("PATH", split="{split}")\n```\n'
    )
