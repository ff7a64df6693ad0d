"""Every real tool answers a call, validly."""

from __future__ import annotations

from collections import Counter
from datetime import date

from generator.formats.tool_files import load_catalog
from generator.records.calls import ERROR_TYPES, Draft, DraftCall
from generator.results import synthesize_results
from generator.scenarios.scenario import Persona, PlannedCall, Scenario, Step
from generator.schemas.validators import validator_for
from generator.tools.error_types import plausible_error_types
from generator.values import Context, synthesize_value
from tests.shared_data import SHARED, needs_shared

FOLDERS = (
    "bfcl",
    "bfcl_multi_turn",
    "github_mcp",
    "mcp_reference",
    "tau2",
    "adm_spec",
    "gemini_cookbook",
    "openai_sdk",
)


@needs_shared
def test_every_real_tool_answers_validly_and_fails_plausibly() -> None:
    statuses: Counter[str] = Counter()
    for folder in FOLDERS:
        loaded = load_catalog([SHARED / "corpus" / folder], skip_invalid=True, on_conflict="source")
        for index, tool in enumerate(loaded.catalog.tools):
            context = Context(name=tool.name, description=tool.description)
            arguments = synthesize_value(tool.parameters, seed=index, context=context)
            types = plausible_error_types(tool)
            outcomes = ("SUCCESS", types[index % len(types)])
            step = Step(calls=tuple(PlannedCall(tool, arguments, outcome) for outcome in outcomes))
            persona = Persona("user", "plain")
            scenario = Scenario(index, 0, index, "parallel", (tool,), (step,), persona, "en_US", date(2026, 1, 15))
            draft = Draft(calls=(DraftCall(name=tool.name, arguments=arguments),) * 2)
            good, bad = synthesize_results(scenario, draft, step)
            assert good.status == "SUCCESS", (folder, tool.name, good)
            assert validator_for(tool.result_schema).is_valid(good.content), (folder, tool.name, good)
            assert bad.status == outcomes[1] and 1 <= len(bad.error_message) <= 500, (folder, tool.name, bad)
            statuses.update((good.status, bad.status))
    assert set(statuses) == {"SUCCESS", *ERROR_TYPES}
    assert statuses["SUCCESS"] > 2000
