"""The README's tables of the formats of records and of the protocols of servers, from what each says of itself.

`python -m tests.readme_tables` writes them into the README anew.
"""

from __future__ import annotations

from generator.backends.protocols import PROTOCOLS
from generator.formats import FORMATS
from generator.formats.format import Format
from tests.checkout import CHECKOUT

README = CHECKOUT / "README.md"
HEADER = "| format of records | keeps | loses | recognised by |\n|---|---|---|---|"
PARTS = (
    "requests",
    "calls",
    "results",
    "their order",
    "answers",
    "text beside calls",
    "ids",
    "metadata",
    "tools",
    "every keyword of their schemas",
    "`strict`",
)
"""What a record consists of; losses name what they take away of it."""


def record_table() -> str:
    """Write the table: the formats that records are written in first, then those that are only read."""
    of_records = [known for known in FORMATS.values() if known.load_record or known.recognised_by]
    return "\n".join([HEADER, *map(_row, sorted(of_records, key=_rank))])


def _rank(known: Format) -> tuple[bool, bool, str]:
    return known.dump_record is None, known.load_record is not None, known.name


def _row(known: Format) -> str:
    is_read_only = known.dump_record is None and known.load_record is not None
    lost = {part for loss in known.losses for part in loss.takes}
    kept = [part for part in PARTS if part not in lost]
    keeps = "read only" if is_read_only else "everything" if len(kept) == len(PARTS) else ", ".join(kept)
    losses = "" if is_read_only else "; ".join(loss.text for loss in known.losses) or "nothing"
    cells = (f"`{known.name}`: {known.summary.partition(': ')[2] or known.summary}", keeps, losses, known.recognised_by)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


PROTOCOLS_HEADER = "| protocol | `--base-url` | key |\n|---|---|---|"


def protocol_table() -> str:
    """Write the table of the protocols that servers speak."""
    rows = (f"| `{name}` | {known.base_url_in_words} | {known.key_in_words} |" for name, known in PROTOCOLS.items())
    return "\n".join([PROTOCOLS_HEADER, *rows])


def with_table(text: str, header: str, table: str) -> str:
    """Return the text with the table in place of the one that has this header."""
    before, _, after = text.partition(header)
    rest = after.partition("\n\n")[2]
    return f"{before}{table}\n\n{rest}"


if __name__ == "__main__":
    text = with_table(README.read_text(encoding="utf-8"), HEADER, record_table())
    README.write_text(with_table(text, PROTOCOLS_HEADER, protocol_table()), encoding="utf-8")
