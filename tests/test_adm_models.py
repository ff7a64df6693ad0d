"""The models of ADM's structures take what the rules take, keep what they do not know, and refuse the rest."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from generator.schemas.adm import ERROR_TYPES
from generator.validation.entities import ENTITIES
from tests.adm_models import ADM_RESULT, AdmError, AdmSuccess, AdmTool, FunctionCall
from tests.entity_examples import adm_call, adm_result, copied, tool
from tests.test_validation_fuzz import places

Json = Any  # parsed JSON

FAILED = {"name": "f", "status": "ERROR", "error": {"message": "No.", "type": "INVALID_STATE", "x_why": 1}}
EXAMPLES: dict[str, list[Json]] = {
    "adm-tool": [{**tool(), "_adm_version": "1.0.0", "_metadata": {"a": None}}],
    "adm-call": [{**adm_call()["call"], "grid_trace": "a"}],
    "adm-result": [
        {**adm_result()["result"], "later_ms": 5},
        {"name": "f", "status": "SUCCESS", "content": None},
        FAILED,
    ],
}
TOLERATED = {"ADM223", "ADM224", "ADM323"}
"""What a newer MINOR version may say, which the models of this one cannot."""


def read(form: str, document: Json) -> Json:
    if form == "adm-result":
        return ADM_RESULT.validate_python(document).to_dict()
    model = AdmTool if form == "adm-tool" else FunctionCall
    return model.model_validate(document).to_dict()


@pytest.mark.parametrize("form", list(EXAMPLES))
def test_a_structure_is_written_as_it_was_read(form: str) -> None:
    for document in EXAMPLES[form]:
        assert read(form, copied(document)) == document


def test_the_status_tells_what_a_result_is() -> None:
    assert isinstance(ADM_RESULT.validate_python(EXAMPLES["adm-result"][0]), AdmSuccess)
    assert isinstance(ADM_RESULT.validate_python(FAILED), AdmError)
    for error_type in ERROR_TYPES:
        result = ADM_RESULT.validate_python({**FAILED, "error": {"message": "No.", "type": error_type}})
        assert isinstance(result, AdmError)
        assert result.error.type == error_type


@pytest.mark.parametrize(
    "result",
    [{**FAILED, "content": None}, {**FAILED, "status": "SUCCESS", "content": 1}, {"name": "f", "status": "SUCCESS"},
     {"name": "f", "status": "ERROR"}, {"name": "f", "status": "PARTIAL", "content": 1}, {**FAILED, "name": "f\n"}],
)  # fmt: skip
def test_what_is_neither_is_refused(result: Json) -> None:
    with pytest.raises(ValidationError):
        ADM_RESULT.validate_python(result)


VALUES = st.sampled_from(
    [None, True, 0, "", "x", "STRING", "ARRAY", "INTEGER", "string", "SUCCESS", "ERROR", [], {}, ["city"], ["a", "a"],
     {"type": "STRING"}, {"message": "No."}, "1.2.0", "2.0.0"]
)  # fmt: skip


@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(sorted(EXAMPLES)), st.data())
def test_models_and_rules_agree(form: str, data: st.DataObject) -> None:
    document = copied(data.draw(st.sampled_from(EXAMPLES[form])))
    for _ in range(data.draw(st.integers(1, 2))):
        holder, key = data.draw(st.sampled_from(places(document)))
        if data.draw(st.booleans()):
            holder[key] = copied(data.draw(VALUES))
        else:
            del holder[key]
    found = {(each.rule, each.severity) for each in ENTITIES[form](document)}
    if any(code in TOLERATED and severity == "warning" for code, severity in found):
        return
    try:
        read(form, document)
        accepted = True
    except ValidationError:
        accepted = False
    assert accepted == all(severity == "warning" for _, severity in found), found
