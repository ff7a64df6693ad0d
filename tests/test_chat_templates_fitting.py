"""Names of models lead to their family; what was found out for it is what the templates did that were tried."""

from __future__ import annotations

import pytest

from generator.chat_templates.fitting import Family, families, family_of, fit
from generator.chat_templates.forms import Form
from generator.errors import UsageError
from tests.benchmarks.bench_chat_templates import FAMILIES

NAMES = {
    "Qwen/Qwen3-8B": "Qwen3",
    "Qwen/Qwen3-0.6B": "Qwen3",
    "qwen3": "Qwen3",
    "unsloth/Qwen3-30B-A3B-Instruct-2507": "Qwen3-2507",
    "Qwen/Qwen3-Coder-30B-A3B-Instruct": "Qwen3-Coder",
    "Qwen/Qwen3-VL-8B-Instruct": "Qwen3-VL",
    "Qwen/Qwen3.5-9B": "Qwen3.5",
    "Qwen/Qwen2.5-7B-Instruct": "Qwen2.5",
    "meta-llama/Llama-3.1-8B-Instruct": "Llama-3.1",
    "meta-llama/Meta-Llama-3.1-8B-Instruct": "Llama-3.1",
    "unsloth/Llama-3.2-1B-Instruct": "Llama-3.2",
    "meta-llama/Llama-3.3-70B-Instruct": "Llama-3.3",
    "mistralai/Mistral-7B-Instruct-v0.3": "Mistral-v0.3",
    "mistralai/Mistral-Nemo-Instruct-2407": "Mistral-Nemo",
    "openai/gpt-oss-20b": "gpt-oss",
    "google/gemma-4-31B-it": "Gemma-4",
    "NousResearch/Hermes-3-Llama-3.1-8B": "Hermes-3",
    "deepseek-ai/DeepSeek-R1-Distill-Qwen-7B": "DeepSeek-R1",
    "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B": "Nemotron-3",
    "folder/llama3_1.jinja": "Llama-3.1",
    "qwen3_5_think_training.jinja": "Qwen3.5",
}


@pytest.mark.parametrize("name", NAMES)
def test_the_name_of_a_model_tells_its_family(name: str) -> None:
    family = family_of(name)
    assert family is not None
    assert family.name == NAMES[name]


@pytest.mark.parametrize(
    "name", ["foo", "google/gemma-3-27b-it", "upstage/SOLAR-10.7B-Instruct-v1.0", "gpt-4o", "/", ""]
)
def test_other_names_are_of_no_family(name: str) -> None:
    assert family_of(name) is None


@pytest.mark.parametrize("family", families(), ids=lambda family: family.name)
def test_what_is_told_of_a_family_makes_sense(family: Family) -> None:
    assert FAMILIES[family.name] == family.pattern
    assert family_of(family.name) is family
    assert 0 <= family.whole <= family.tried
    assert family.marked <= family.tried
    assert bool(family.why) == (family.whole < family.tried)
    assert family.whole or not family.drops


FORMS = {
    "Qwen3": Form(),
    "meta-llama/Llama-3.1-8B-Instruct": Form(serialized=True),
    "gpt-oss": Form(serialized=True),
    "mistralai/Mistral-7B-Instruct-v0.3": Form(merged=True),
    "meetkai/functionary-medium-v3.2": Form(text_arguments=True),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_name_is_given_the_form_of_its_family(name: str) -> None:
    found = fit(name)
    assert found.form == FORMS[name]
    assert found.template is None
    assert found.passage() is None
    lines = found.lines()
    assert len(lines) == 3
    assert found.form.options in lines[0]
    assert "the names on results" in lines[1]


REFUSED = {
    "deepseek-ai/DeepSeek-V3": "none passed whole (shows no tools); give --for its chat template",
    "LiquidAI/LFM2-1.2B": "tried 2 of 5 passed whole (--format trl for those; the others: drops the calls)",
    "google/gemma-3-27b-it": "no model family of that name was tried; did you mean Gemma-4? give --for",
    "zzz": "no model family of that name was tried; give --for its chat template",
    "nosuch.jinja": "there is no such file or folder",
    "./nosuch": "there is no such file or folder",
    "": "there is no such file or folder",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_name_that_leads_to_no_form_is_told_with_the_remedy(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        fit(name)
    assert str(caught.value).startswith(f"--for {name}: ")
    assert REFUSED[name] in str(caught.value)
