"""Codes: whatever the program prints as one is explained, and nothing is explained that it does not print."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import generator
from generator.assets import asset_file
from generator.reports.codes import TOPICS, Meaning, explain, meanings
from generator.validation.rule_reference import every_rule

_LITERAL = re.compile(r"""["']([A-Z]{2,4}[0-9]{3})["']""")


def printed() -> dict[str, str]:
    """The codes that stand in the program's text, each with a file that has it."""
    root = Path(generator.__file__).parent
    return {
        code: str(path.relative_to(root))
        for path in sorted(root.rglob("*.py"))
        for code in _LITERAL.findall(path.read_text(encoding="utf-8"))
    }


def test_every_code_of_the_program_is_explained() -> None:
    known = {*every_rule(), *meanings()}
    assert {code: file for code, file in printed().items() if code not in known} == {}


def test_no_code_is_explained_that_the_program_does_not_have() -> None:
    told = tomllib.loads(asset_file("codes.toml").read_text(encoding="utf-8"))
    numbered = {code for codes in told.values() for code in codes if _LITERAL.fullmatch(f'"{code}"')}
    assert numbered - printed().keys() == set()


def test_each_says_what_goes_wrong_and_what_helps() -> None:
    for code, meaning in meanings().items():
        assert meaning.topic in TOPICS
        assert meaning.summary.endswith("."), code
        if meaning.topic in ("attempt", "export"):
            assert meaning.reason and meaning.remedy and meaning.bad and meaning.good, code


def test_a_code_is_found_in_any_case() -> None:
    found = explain("ex002")
    assert isinstance(found, Meaning)
    assert (found.code, found.topic) == ("EX002", "export")
