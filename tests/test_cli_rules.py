"""`toolgen rules` and `toolgen rule`: the list, and one rule explained."""

from __future__ import annotations

import json
import re

import pytest

from generator.cli import main
from generator.validation.rule_reference import GROUPS, entry, every_rule
from tests.checkout import CHECKOUT
from tests.readmes import generated


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_every_rule_is_listed_in_its_group(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "rules")
    assert (code, err) == (0, "")
    assert re.findall(r"^  ([A-Z]+\d*) ", out, re.MULTILINE) == list(every_rule())
    assert [line for line in out.splitlines() if line in GROUPS.values()] == list(GROUPS.values())
    assert f"{len(every_rule())} rules" in out


def test_some_rules_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "rules", "--select", "DF00,Q3", "--select", "TC101")
    listed = re.findall(r"^  ([A-Z]+\d*) ", out, re.MULTILINE)
    assert listed == [code for code in every_rule() if code.startswith(("DF00", "Q3", "TC101"))]


def test_rules_are_listed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(run(capsys, "rules", "--json")[1])
    assert [each["code"] for each in listed] == list(every_rule())
    assert {"code", "group", "summary", "severity", "read", "source", "name", "why", "bad", "good"} <= listed[0].keys()


def test_markdown_is_what_the_page_of_rules_has(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "rules", "--markdown")[1] == generated("generator/validation/README.md", "rules")


def test_a_rule_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "rule", "df004")
    assert (code, err) == (0, "")
    told = entry("DF004")
    for part in ("DF004: ", told.summary, told.source, "Bad:", "Good:", *told.bad, *told.good):
        assert part in out
    assert told.why.split()[0] in out


@pytest.mark.parametrize("name", ["unknown_tool_call", "malformed_tool_arguments", "invalid_tool_arguments"])
def test_a_rule_is_found_by_its_error_code(capsys: pytest.CaptureFixture[str], name: str) -> None:
    told = json.loads(run(capsys, "rule", name, "--json")[1])
    assert told["name"] == name
    assert told["severity"] == "error"


def test_a_wrong_code_is_answered_by_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "rule", "DF04")
    assert (code, out) == (2, "")
    assert err.startswith("error: no such rule: DF04; did you mean DF004?")


def test_a_choice_of_no_rule_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "rules", "--select", "DX")[0] == 2
    assert run(capsys, "validate", str(CHECKOUT / "README.md"), "--ignore", "DX")[0] == 2
