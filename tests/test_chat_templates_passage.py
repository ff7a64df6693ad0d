"""Records pass through a template, or it is told what becomes of them."""

from __future__ import annotations

import copy

import pytest

from generator.chat_templates import probes
from generator.chat_templates.forms import Form
from generator.chat_templates.passage import Passage, faults, holds
from generator.chat_templates.rendering import Refusal, Renderer
from generator.chat_templates.template import ChatTemplate
from generator.errors import DataError
from tests import own_templates as own


def passage(text: str, *drops: str) -> Passage:
    template = ChatTemplate("it.jinja", text)
    return Passage(template, Form(), drops, Renderer(template))


def test_a_record_that_comes_through_whole_has_no_faults() -> None:
    assert passage(own.WHOLE).faults(probes.ONE_CALL) == []


def test_text_beside_calls_is_counted_where_it_is_known_to_be_dropped() -> None:
    knowing, unknowing = passage(own.NO_TEXT_BESIDE, "text beside calls"), passage(own.NO_TEXT_BESIDE)
    assert knowing.faults(probes.WITH_TEXT) == []
    assert knowing.faults(probes.ONE_CALL) == []
    assert knowing.shortened == 1
    assert unknowing.faults(probes.WITH_TEXT) == ["drops what the assistant says"]


def test_a_record_that_the_template_refuses_is_told() -> None:
    found = passage("{{ raise_exception('no\nway') }}").faults(probes.ONE_CALL)
    assert found == ['stops with "no way"']


def test_a_template_that_takes_too_much_ends_it() -> None:
    with pytest.raises(DataError, match=r"it\.jinja: given a record, the chat template takes more memory than it may"):
        passage("{{ 'x' * 10 ** 11 }}").faults(probes.ONE_CALL)


def render(text: str, record: object = probes.ONE_CALL) -> str | Refusal:
    return Renderer(ChatTemplate("it", text, {"bos_token": "<b>"})).render(record)  # type: ignore[arg-type]  # a record


RENDERED = {
    "{{ {'a': 'ä<'} | tojson }}": '{"a": "ä<"}',
    "{{ {'b': 1, 'a': 2} | tojson(indent=1, sort_keys=True) }}": '{\n "a": 2,\n "b": 1\n}',
    "{{ bos_token }}{{ strftime_now('%Y-%m-%d') }}": "<b>2026-01-15",
    "{% generation %}x{% endgeneration %}": "x",
    "{% for i in range(9) %}{% if i == 2 %}{% break %}{% endif %}{{ i }}{% endfor %}": "01",
    "  {% if true %}\nx\n  {% endif %}\ny": "x\ny",
    "{{ documents is none }}{{ add_generation_prompt }}": "TrueFalse",
}


@pytest.mark.parametrize("text", RENDERED)
def test_templates_are_rendered_as_transformers_does(text: str) -> None:
    assert render(text) == RENDERED[text]


FORBIDDEN = ["{{ ''.__class__.__mro__ }}", "{{ messages.append(1) }}", "{{ cycler.__init__.__globals__ }}"]


@pytest.mark.parametrize("text", FORBIDDEN)
def test_what_the_sandbox_forbids_is_refused_or_nothing(text: str) -> None:
    assert isinstance(render(text), Refusal)


def test_one_refusal_does_not_end_the_process() -> None:
    renderer = Renderer(ChatTemplate("it", "{{ messages[1].content }}"))
    assert isinstance(renderer.render({"messages": [], "tools": []}), Refusal)
    assert renderer.render(probes.ONE_CALL) == probes.USER


SPOILT = {
    "a message is gone": ("gristly", "", "drops the results"),
    "a message is elsewhere": (probes.ANSWER, "", "moves what the assistant says"),
    "an argument is gone": ("3719", "0", "drops arguments"),
    "arguments twice": ('{"city": "Lisbmoor", "days": 3719}', '{\\"city\\": \\"Lisbmoor\\", \\"days\\": 3719}',
                        "encodes arguments twice, as text inside text"),
    "arguments as Python does": ('{"city": "Lisbmoor", "days": 3719}', "{'city': 'Lisbmoor', 'days': 3719}",
                                 "writes arguments as Python does, not as JSON"),
    "a tool": (probes.UNUSED, "x", "drops the names of tools"),
}  # fmt: skip


@pytest.mark.parametrize("name", SPOILT)
def test_what_is_spoilt_is_told(name: str) -> None:
    there, instead, fault = SPOILT[name]
    text = render(own.WHOLE)
    assert isinstance(text, str)
    assert there in text
    spoilt = (there if "moves" in fault else "") + text.replace(there, instead)
    assert faults(spoilt, probes.ONE_CALL) == [fault]


def test_a_call_that_stands_in_its_result_alone_is_dropped() -> None:
    record = copy.deepcopy(probes.ONE_CALL)
    text = f"{probes.SYSTEM}{probes.USER}<result>{record['messages'][3]['content']}</result>{probes.ANSWER}"
    assert faults(text, {**record, "tools": []}) == ["drops the calls"]


@pytest.mark.parametrize("value", ['a "b"', "it's", "Zürich", "a\\b", "two\nlines", 1.5, True, None, 10**20])
def test_a_value_is_found_in_every_spelling(value: object) -> None:
    for text in (f"{value}", repr(value), render("{{ messages | tojson }}", {"messages": [value], "tools": []})):
        assert isinstance(text, str)
        assert holds(f"<<{text}>>", value)
