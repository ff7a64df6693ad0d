"""The figures as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from tests.benchmarks.corruptions.measuring import Caught

Measured = Mapping[str, Mapping[str, Caught]]
Alarms = Mapping[str, Mapping[str, Counter[tuple[str, str]]]]
ALL = "all"


def share(count: int, of: int) -> str:
    """Return a share in per cent."""
    return f"{100 * count / of:.0f} %" if of else "-"


def families(of_class: Mapping[str, str], measured: Measured) -> dict[str, dict[str, Caught]]:
    """Return the sums over the classes of each family, and over all."""
    sums: dict[str, dict[str, Caught]] = {}
    for name, modes in measured.items():
        for family in (of_class[name], ALL):
            for mode, each in modes.items():
                here = sums.setdefault(family, {})
                here[mode] = here.get(mode, Caught()) + each
    return {**{name: each for name, each in sums.items() if name != ALL}, ALL: sums.get(ALL, {})}


def _cells(each: Caught) -> str:
    return " / ".join(share(each.at_least(severity), each.records) for severity in ("error", "warning", "note"))


def short_table(measured: Measured, by_family: Measured) -> str:
    """Return one row a class, family sums last: caught at all, by mode."""
    modes = list(next(iter(measured.values())))
    lines = [f"| class | records | {' | '.join(modes)} |", "|---|---:|" + "---:|" * len(modes)]
    for name, held in (*measured.items(), *((f"**{name}**", each) for name, each in by_family.items())):
        count = next(iter(held.values())).records
        cells = " | ".join(share(held[mode].at_least("note"), count) for mode in modes)
        lines.append(f"| {name} | {count} | {cells} |")
    return "\n".join(lines)


def full_table(wrong: Mapping[str, str], measured: Measured, by_family: Measured) -> str:
    """Return one row a class: as error, at least as warning, at all, by mode, with the rules that caught."""
    modes = list(next(iter(measured.values())))
    lines = [
        f"| class | what is wrong | records | {' | '.join(modes)} | rules |",
        "|---|---|---:|" + "---|" * (len(modes) + 1),
    ]
    for name, held in measured.items():
        rules: Counter[str] = Counter()
        for each in held.values():
            rules |= each.rules
        told = ", ".join(f"{rule} {count}" for rule, count in rules.most_common(4))
        count = next(iter(held.values())).records
        lines.append(f"| {name} | {wrong[name]} | {count} | {' | '.join(_cells(held[m]) for m in modes)} | {told} |")
    for name, held in by_family.items():
        count = next(iter(held.values())).records
        lines.append(f"| **{name}** | | {count} | {' | '.join(_cells(held[m]) for m in modes)} | |")
    return "\n".join(lines) + "\n(as error / at least as warning / at all)\n"


def alarms_table(alarms: Alarms) -> str:
    """Return what is found of good records: by mode and source, the records refused and the rules."""
    lines = [
        "| mode | good records | records | as error | warning at most | note at most | rules |",
        "|---|---|---:|---:|---:|---:|---|",
    ]
    for mode, sources in alarms.items():
        for source, counted in sources.items():
            count = counted["", ""]
            cells = " | ".join(str(counted["any", severity]) for severity in ("error", "warning", "note"))
            rules = [(key, n) for key, n in counted.most_common() if key[0] not in ("", "any", "meaning", "form")]
            told = ", ".join(f"{rule} {severity} {n}" for (rule, severity), n in rules)
            lines.append(f"| {mode} | {source} | {count} | {cells} | {told} |")
    return "\n".join(lines)
