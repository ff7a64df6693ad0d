"""The form for a template is the first in which every record is whole; what is wrong and what is dropped is told."""

from __future__ import annotations

import pytest

from generator.chat_templates.fitting import choose
from generator.chat_templates.forms import FORMS, Form
from generator.chat_templates.template import ChatTemplate
from tests import own_templates as own
from tests.tables import each_row

FITTING = {
    "as they are": (own.WHOLE, Form()),
    "marked answers": (own.MARKED, Form()),
    "arguments joined to text": (own.ARGUMENTS_AS_TEXT, Form(text_arguments=True)),
    "one call at a time": (own.ONE_AT_A_TIME, Form(serialized=True)),
    "the first call alone": (own.FIRST_CALL, Form(serialized=True)),
    "no system message": (own.NO_SYSTEM, Form(merged=True)),
    "Python's notation of objects": (own.AS_PYTHON.replace("dict(call.function.arguments)", "call.function.arguments"),
                                     Form(text_arguments=True)),
}  # fmt: skip


@pytest.mark.parametrize("name", FITTING)
def test_the_first_form_that_is_whole_is_chosen(name: str) -> None:
    text, form = FITTING[name]
    finding = choose(ChatTemplate(name, text))
    assert (finding.form, finding.why) == (form, "")


SPOILING = {
    "shows no tools": own.NO_TOOLS,
    "drops the calls": own.NO_CALLS,
    "drops the results": own.NO_RESULTS,
    "drops what the assistant says": own.NO_LAST_ANSWER,
    "drops the descriptions of tools": own.NO_DESCRIPTIONS,
    "drops the parameters of tools": own.NO_PARAMETERS,
    "encodes arguments twice, as text inside text": own.TWICE,
    'stops with "no tools, please"': "{% if tools %}{{ raise_exception('no tools, please') }}{% endif %}" + own.WHOLE,
    "does what transformers forbids: ": "{% set _ = messages.append(1) %}" + own.WHOLE,
    "is no template: line 1: ": "{% for x in %}",
    "is no template: line 2: ": "\n{% nosuchtag %}",
    "calls itself without end": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "takes more memory than it may": "{{ 'x' * 10 ** 11 }}",
    "comes to 5,000,000 characters": "{{ 'x' * 5000000 }}",
    "drops the system message": own.NO_SYSTEM.replace("!= 'system'", "!= 'system' and loop.index > 1"),
}


@each_row("why", SPOILING)
def test_where_no_form_is_whole_the_reason_is_told(why: str) -> None:
    finding = choose(ChatTemplate("it", SPOILING[why]))
    assert not finding.is_whole
    assert why in finding.why


@pytest.mark.slow
def test_a_template_that_takes_too_long_is_tried_once() -> None:
    finding = choose(
        ChatTemplate("it", "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}")
    )
    assert finding.why == "takes longer than 5 seconds"


DROPS = {
    "ids and names alone": (own.WHOLE, ("the ids of calls", "the names on results")),
    "nothing": (own.WITH_IDS, ()),
    "text beside calls": (own.NO_TEXT_BESIDE, ("text beside calls", "the ids of calls", "the names on results")),
    "endless types": (own.ENDLESS_TYPES,
                      ("the ids of calls", "the names on results",
                       'tools with a list of types, such as ["string", "null"]')),
    "escaped as HTML": (own.WHOLE.replace("tool | tojson", "tool | tojson | e"),
                        ("the ids of calls", "the names on results",
                         "quotes and & as they stand in descriptions, which it escapes")),
}  # fmt: skip


@pytest.mark.parametrize("name", DROPS)
def test_what_is_dropped_of_whole_records_is_told(name: str) -> None:
    text, drops = DROPS[name]
    finding = choose(ChatTemplate(name, text))
    assert (finding.why, finding.drops) == ("", drops)


def test_of_forms_that_all_lose_the_one_that_loses_least_is_told() -> None:
    half = own.ARGUMENTS_AS_TEXT.replace("{{ tool | tojson }}", "{{ tool.function.name }}")
    assert choose(ChatTemplate("it", half)).form == Form(text_arguments=True)


def test_forms_begin_with_what_changes_nothing_and_say_their_options() -> None:
    assert [form.options for form in FORMS[:3]] == [
        "--format trl", "--format trl --variant text", "--format trl --serialize-parallel",
    ]  # fmt: skip
    assert FORMS[-1].options == "--format trl --variant text --serialize-parallel --merge-system"
    assert len(set(FORMS)) == 8
