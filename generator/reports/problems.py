"""Problems of input files in few words: what is alike is told once, with how often and where first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from generator.errors import Problem

_SHOWN_KINDS = 10
_PARTICULAR = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`|(\S*#/\S*\s*)+")
"""What names one definition or field: a quoted name, or places in files."""


def in_few_words(problems: Sequence[Problem], *, first: int = 1, everything: str = "") -> Iterator[str]:
    """Yield the `first` problems of each kind and how many are like them; `everything` is what tells them all."""
    alike: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        alike.setdefault((_PARTICULAR.sub("", problem.what), _PARTICULAR.sub("", problem.remedy)), []).append(problem)
    groups = list(alike.values())
    also = f"; {everything}" if everything else ""
    for group in groups[:_SHOWN_KINDS]:
        shown = list(map(str, group[:first]))
        yield from shown[:-1]
        yield shown[-1] + (f"; and {_rest(group, first)}{also}" if len(group) > first else "")
    if len(groups) > _SHOWN_KINDS:
        yield f"{sum(map(len, groups[_SHOWN_KINDS:])):,} more of other kinds{also}"


def _rest(group: Sequence[Problem], first: int) -> str:
    files = {problem.where.partition("#")[0] for problem in group[first:]}
    return f"{len(group) - first:,} more like it" + (f", in {len(files):,} files" if len(files) > 1 else "")
