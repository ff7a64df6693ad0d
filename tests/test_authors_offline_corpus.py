"""Requests over hundreds of real tool definitions: each says its values, none shows how programs name them."""

import re
from functools import cache

import pytest

from generator.authors.author import NoDraft
from generator.authors.offline.requests import write_request
from generator.formats.tool_files import load_catalog
from generator.job import Job
from generator.scenarios.planner import Planner
from generator.scenarios.sketch import PlanError
from tests.shared_data import SHARED, needs_shared

FOLDERS = ("github_mcp", "adm_spec", "playwright_mcp", "openai_sdk", "tau2", "bfcl")
COUNT = 250
MONTHS = "January February March April May June July August September October November December".split()


@cache
def requests():
    """Return what was planned and what was written for it, and the rules by which plans were refused."""
    catalog = load_catalog(
        [SHARED / "corpus" / name for name in FOLDERS], skip_invalid=True, on_conflict="source"
    ).catalog
    mix = {"simple": 3.0, "multiple": 3.0, "parallel": 2.0, "parallel_multiple": 2.0}
    planner = Planner(Job(count=COUNT, seed=11, on_conflict="source", skip_invalid=True, mix=mix), catalog)
    written, refused = [], []
    for index in range(COUNT):
        try:
            scenario = planner.plan(index)
            written.append((scenario, write_request(scenario, scenario.steps[0])))
        except PlanError:
            continue
        except NoDraft as refusal:
            refused.append(refusal.violations[0].rule)
    return written, refused


def leaves(value):
    if isinstance(value, dict):
        for entry in value.values():
            yield from leaves(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from leaves(entry)
    else:
        yield value


def words(text):
    return re.findall(r"[a-z]+|\d+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower())


def is_told(value, text):
    """Say, by other means than the writer's, whether a value stands in a text."""
    if isinstance(value, bool):
        return True
    if isinstance(value, int | float):
        numbers = {float(number) for number in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text.replace(",", ""))}
        return any(abs(value - shown) < 1e-9 or abs(value * 100 - shown) < 1e-6 for shown in numbers)
    if value.casefold() in text.casefold():
        return True
    dated = re.match(r"(\d{4})-(\d\d)-(\d\d)", value)
    if dated:
        return MONTHS[int(dated[2]) - 1][:3] in text and str(int(dated[3])) in text
    told = set(words(text))
    stems = {word[:4] for word in told}
    return all(
        word in told or word[:4] in stems or word in ("get", "asc", "desc")
        for word in words(value)
        if not word.isdigit()
    )


@needs_shared
def test_most_tools_can_be_asked_for():
    written, refused = requests()
    assert len(written) >= 0.6 * (len(written) + len(refused))
    assert set(refused) <= {"AU001"}


@needs_shared
def test_every_value_is_told():
    missing = [
        (call.tool.name, name, leaf, text)
        for scenario, text in requests()[0]
        for call in scenario.calls
        for name, value in call.arguments.items()
        if not {"method", "action"} & {name}
        for leaf in leaves(value)
        if not is_told(leaf, text)
    ]
    assert missing == []


@needs_shared
def test_no_program_name_shows():
    for scenario, text in requests()[0]:
        said = " ".join(str(leaf) for call in scenario.calls for leaf in leaves(call.arguments))
        for call in scenario.calls:
            names = [call.tool.name, *call.tool.parameters["properties"]]
            for name in names:
                if "_" in name or re.search("[a-z][A-Z]", name):
                    assert name not in text or name in said, (name, text)


@needs_shared
@pytest.mark.parametrize("pattern", [r"[{}]", r"\b(\w+) \1\b(?<!had had)", r" [,.?!]", r"  ", r"\d{4}-\d\d-\d\dT"])
def test_no_text_is_broken(pattern):
    found = [text for _, text in requests()[0] if re.search(pattern, re.sub(r'"[^"]*"', '""', text))]
    assert found == []


@needs_shared
def test_texts_begin_with_a_capital_and_end_with_a_stop():
    for _, text in requests()[0]:
        assert not text[0].islower(), text
        assert text[-1] in '.?!"', text
