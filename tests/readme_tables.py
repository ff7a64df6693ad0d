"""The parts of the pages that are generated, from what the program says of itself.

`python -m tests.readme_tables` writes them anew.
"""

from __future__ import annotations

from collections.abc import Callable

import orjson

from generator.assets import asset_file
from generator.backends.protocols import PROTOCOLS
from generator.chat_templates.fitting import Family, families
from generator.cli.help import TOPICS
from generator.cli.rules import markdown_tables
from generator.cli.shell import COMMANDS
from generator.datasets.trainers import TRAINERS, Trainer, has_dataset_info
from generator.errors import EXIT_CODES
from generator.formats import FORMATS
from generator.formats.format import Format
from generator.jsontext import JsonObject
from generator.reports.kinds import markdown_table
from generator.validation.rule_reference import entry, every_rule
from generator.validation.verdict import SEVERITIES
from tests.benchmarks.corruptions.tables import share
from tests.readmes import TOP, write_generated

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
    header = "| format of records | keeps | loses | recognised by |\n|---|---|---|---|"
    return "\n".join([header, *map(_row, sorted(of_records, key=_rank))])


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


def protocol_table() -> str:
    """Write the table of the protocols that servers speak."""
    rows = (f"| `{name}` | {known.base_url_in_words} | {known.key_in_words} |" for name, known in PROTOCOLS.items())
    return "\n".join(["| protocol | `--base-url` | key |\n|---|---|---|", *rows])


def command_table() -> str:
    """Write the table of commands."""
    rows = (f"| `toolgen {name}` | {target.summary} |" for name, target in COMMANDS.items())
    return "\n".join(["| command | what it does |\n|---|---|", *rows])


def exit_code_table() -> str:
    """Write the table of exit codes."""
    return "\n".join(["| code | meaning |\n|---|---|", *(f"| {code} | {text} |" for code, text in EXIT_CODES.items())])


def topic_list() -> str:
    """Write the topics with links to their pages, but for the page that the list stands in."""
    return ", ".join(f"[{name}]({topic.path})" for name, topic in TOPICS.items() if topic.path != TOP) + "."


def family_table() -> str:
    """Write the table of model families: the form that their chat templates take, and what they drop."""
    rows = (f"| {each.name} | {each.tried} | {_outcome(each)} | {'; '.join(each.drops)} |" for each in families())
    return "\n".join(["| family | tried | `--format trl` with | drops all the same |\n|---|---|---|---|", *rows])


def _outcome(family: Family) -> str:
    options = family.form.options.removeprefix("--format trl").strip()
    form = f"`{options}`" if options else "nothing more"
    if family.whole == family.tried:
        return form
    why = "; ".join(family.why)
    return f"{family.whole} of {family.tried}: {form}; the others cannot: {why}" if family.whole else f"none can: {why}"


def trainer_table() -> str:
    """Write the table of trainers: what `--trainer` writes, the command, and what is learnt."""
    rows = (f"| `{name}` | {_written(each)} | `{each.command}` | {each.learns} |" for name, each in TRAINERS.items())
    return "\n".join(["| `--trainer` | writes | then | learns |\n|---|---|---|---|", *rows])


def _written(trainer: Trainer) -> str:
    beside = f"NAME{trainer.ending}" if trainer.ending else "dataset_info.json" * has_dataset_info(trainer.form)
    return f"`{trainer.form}`" + (f" and `{beside}`" if beside else "")


def rule_tables() -> str:
    """Write the tables of all rules."""
    return markdown_tables([entry(code) for code in every_rule()])


MODES = {"written": "as written", "read": "as read", "bare": "without metadata"}
"""How the examiner was measured: on records as toolgen writes them, as other people do, and without metadata."""
MEASURED: JsonObject = orjson.loads(asset_file("measured.json").read_bytes())


def corruption_table() -> str:
    """Write the table: the classes of corruptions and their families, with the shares that are caught."""
    rows = [
        f"| corruption | records | {' | '.join(MODES.values())} |",
        "|---|---:|" + "---:|" * len(MODES),
        *(_caught(each["wrong"], each) for each in MEASURED["classes"].values()),
        *(_caught(f"**{name}**", each) for name, each in MEASURED["families"].items()),
    ]
    return "\n".join(rows)


def _caught(name: str, figures: JsonObject) -> str:
    cells = " | ".join(share(figures[mode][-1], figures["records"]) for mode in MODES)
    return f"| {name} | {figures['records']} | {cells} |"


def alarm_table() -> str:
    """Write the table: how many good records have findings, by source and sureness."""
    rows = [
        "| good records | records | errors of meaning | warnings at most | notes at most | of form alone |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for source, count in MEASURED["good"].items():
        cells = " | ".join(str(MEASURED["flagged"][source][each]) for each in (*SEVERITIES, "form"))
        rows.append(f"| {source} | {count:,} | {cells} |")
    return "\n".join(rows)


EXAMPLES = "generator/assets/examples/README.md"
RANGES = "generator/runs/RANGES.md"


def example(name: str, language: str) -> Callable[[], str]:
    """Write a file of the examples as a block of code."""
    text = asset_file(f"examples/{name}").read_text(encoding="utf-8")
    return lambda: f"```{language}\n{text}```"


GENERATED: dict[tuple[str, str], Callable[[], str]] = {
    (TOP, "commands"): command_table,
    ("generator/runs/README.md", "exit codes"): exit_code_table,
    (TOP, "topics"): topic_list,
    ("generator/scenarios/README.md", "kinds"): markdown_table,
    ("generator/formats/README.md", "formats"): record_table,
    ("generator/chat_templates/README.md", "families"): family_table,
    ("generator/backends/README.md", "protocols"): protocol_table,
    ("generator/datasets/README.md", "trainers"): trainer_table,
    (EXAMPLES, "crontab"): example("nightly.crontab", "crontab"),
    (EXAMPLES, "service"): example("toolgen-nightly.service", "ini"),
    (EXAMPLES, "timer"): example("toolgen-nightly.timer", "ini"),
    (EXAMPLES, "workflow"): example("github-nightly.yml", "yaml"),
    (EXAMPLES, "dag"): example("airflow_nightly.py", "python"),
    (RANGES, "sbatch"): example("ranges.sbatch", "bash"),
    (RANGES, "indexed job"): example("kubernetes-ranges.yaml", "yaml"),
    (RANGES, "mapped tasks"): example("airflow_ranges.py", "python"),
    ("generator/validation/README.md", "rules"): rule_tables,
    ("generator/validation/grounding/README.md", "corruptions"): corruption_table,
    ("generator/validation/grounding/README.md", "alarms"): alarm_table,
}
"""What writes each generated part, by its page and its name."""


def lines(write: Callable[[], str]) -> str:
    """What a generated part holds: whole lines."""
    return write().rstrip("\n") + "\n"


if __name__ == "__main__":
    for (page, name), write in GENERATED.items():
        write_generated(page, name, lines(write))
