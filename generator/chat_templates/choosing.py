"""The first form in which every probe passes a template whole, and what the template drops all the same."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from generator.chat_templates import probes
from generator.chat_templates.forms import FORMS, Form
from generator.chat_templates.passage import TEXT_BESIDE, faults, holds
from generator.chat_templates.probes import PROBES
from generator.chat_templates.rendering import Refusal, Renderer
from generator.chat_templates.template import ChatTemplate
from generator.jsontext import JsonObject

SECONDS = 60
"""The longest that a template may take for all probes in all forms; it takes a part of one."""
_ALL = tuple(probe.shows for probe in PROBES)


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of trying a template."""

    form: Form
    """The first form that is whole; where none is, the one in which most probes are."""
    faults: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What is wrong with that form, with the kinds of records that it concerns; nothing where it is whole."""
    drops: tuple[str, ...] = ()
    """What the template drops of whole records, or cannot take, beyond the probes."""
    refused: int = 0
    """How many probes it did not render at all."""
    is_final: bool = False
    """Whether no other form can be better."""

    @property
    def is_whole(self) -> bool:
        """Whether there is a form in which every probe is whole."""
        return not self.faults

    @property
    def why(self) -> str:
        """What is wrong with the form, in words."""
        return "; ".join(f"{fault}{_where(shown)}" for fault, shown in self.faults.items())


def _where(shown: tuple[str, ...]) -> str:
    return "" if len(shown) > len(PROBES) // 2 else f" ({', '.join(shown)})"


def choose(template: ChatTemplate, forms: Sequence[Form] = FORMS) -> Finding:
    """Try forms in their order, and return the first that is whole, or that which loses least."""
    renderer = Renderer(template)
    until = time.monotonic() + SECONDS
    tried: list[Finding] = []
    for form in forms:
        found = _try(renderer, form)
        if found.is_whole:
            return replace(found, drops=tuple(_drops(renderer, form)))
        tried.append(found)
        if found.is_final or time.monotonic() > until:
            break
    return min(tried, key=lambda each: (each.refused, sum(map(len, each.faults.values()))))


def _try(renderer: Renderer, form: Form) -> Finding:
    """Say what is wrong with a form, with the probes that show it."""
    found: dict[str, tuple[str, ...]] = {}
    refused = 0
    for probe in PROBES:
        rendered = renderer.render(form.written(probe.record))
        if isinstance(rendered, Refusal):
            refused += 1
            wrong = [rendered.why]
        else:
            wrong = faults(rendered, form.prepared(probe.record))
        for fault in wrong:
            found[fault] = (*found.get(fault, ()), probe.shows)
        if isinstance(rendered, Refusal) and rendered.is_final:
            return Finding(form, {rendered.why: _ALL}, refused=refused, is_final=True)
    return Finding(form, found, refused=refused)


def _drops(renderer: Renderer, form: Form) -> Iterator[str]:
    """Yield what a template drops of records that are whole in this form."""
    for record, detail, dropped in _DETAILS:
        text = renderer.render(form.written(record))
        lacks = isinstance(text, str) and not holds(text, detail) if detail else _fails(text, form.prepared(record))
        if lacks:
            yield dropped


_DETAILS = (
    (probes.ONE_CALL, probes.PARAMETER_TEXT, "the descriptions of parameters"),
    (probes.ONE_CALL, probes.CHOICE, "the values of enums"),
    (probes.WITH_TEXT, "", TEXT_BESIDE),
    (probes.ENDS_WITH_CALLS, "", "calls at the end of a record"),
    (probes.ONE_CALL, probes.FIRST.identity, "the ids of calls"),
    (probes.NAMED_ELSEWHERE, probes.ELSEWHERE, "the names on results"),
    (probes.QUOTING, probes.QUOTED, "quotes and & as they stand in descriptions, which it escapes"),
    (probes.LIST_TYPED, "", 'tools with a list of types, such as ["string", "null"]'),
)
"""A record, the detail of it that should be found in what is rendered ("": all of it), and what is dropped if not."""


def _fails(text: str | Refusal, record: JsonObject) -> bool:
    return isinstance(text, Refusal) or bool(faults(text, record))
