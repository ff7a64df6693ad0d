"""mistral-common's request validators accept what toolgen writes: ids, pairing, names, schemas, order of turns."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from generator.formats import FORMATS
from tests import record_examples
from tests.record_examples import FIRST
from tests.tables import each_row

pytestmark = pytest.mark.interop

validator = pytest.importorskip("mistral_common.protocol.instruct.validator", reason="needs the extra `test`")
request = pytest.importorskip("mistral_common.protocol.instruct.request")

Json = Any  # parsed JSON
VERSIONS = ["V3", "V5", "V11", "V13", "V15"]


def accepted(document: Json, *versions: str) -> None:
    """Convert a record to mistral-common's own protocol and validate it as training data."""
    converted = request.ChatCompletionRequest.from_openai(copy.deepcopy(document["messages"]), document["tools"])
    assert len(converted.messages) == len(document["messages"])
    assert len(converted.tools or ()) == len(document["tools"])
    for version in versions:
        judge = getattr(validator, f"MistralRequestValidator{version}")(validator.ValidationMode.finetuning)
        judge.validate_request(converted)


def test_every_version_of_the_judge_is_asked() -> None:
    known = [name.removeprefix("MistralRequestValidator") for name in dir(validator)]
    assert {name for name in known if name.startswith("V") and name[1:].isdigit()} == set(VERSIONS)


@pytest.mark.slow
def test_two_thousand_records_of_every_kind_are_accepted_by_every_version(two_thousand: list[Json]) -> None:
    for document in two_thousand:
        accepted(document, *VERSIONS)


def written_for_mistral(document: Json) -> Json:
    dump = FORMATS["mistral"].dump_record
    assert dump is not None
    return dump(document)


def test_each_kind_is_accepted_in_the_format_mistral(of_every_kind: list[Json]) -> None:
    for document in of_every_kind:
        accepted(written_for_mistral(document), *VERSIONS)


@pytest.mark.parametrize("version", VERSIONS)
def test_generated_records_are_accepted(version: str, judged: list[Json]) -> None:
    for document in judged:
        accepted(document, version)


@each_row("version", VERSIONS)
@each_row("kind", record_examples.KINDS)
def test_each_kind_is_accepted(version: str, kind: str) -> None:
    accepted(record_examples.KINDS[kind](), version)


@pytest.mark.parametrize("version", ["V3", "V5", "V11"])
def test_the_judge_refuses_other_ids(version: str) -> None:
    document = record_examples.simple()
    document["messages"][2]["tool_calls"][0]["id"] = document["messages"][3]["tool_call_id"] = FIRST + "0"
    with pytest.raises(Exception, match="must be a-z, A-Z, 0-9"):
        accepted(document, version)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_judge_refuses_a_record_without_a_last_answer(version: str) -> None:
    document = record_examples.simple()
    document["messages"].pop()
    with pytest.raises(Exception, match=r"(?i)last"):
        accepted(document, version)
