"""Automata of patterns: exact about what exists, how much of it, and how to get there."""

from __future__ import annotations

import re
from random import Random

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import GaveUp
from generator.values.patterns.automata import Declined, Expressions, language_of
from generator.values.patterns.syntax import EVERY, holds, plausible, spans_of, without
from generator.values.patterns.texts import PLAIN_SHAPES, SHAPES
from tests.tables import each_row

SATISFIABLE: list[tuple[list[str], list[str], int, int | None]] = [
    (["^[a-z]{5}$"], [], 5, 5),
    (["^(?=.*[A-Z])(?=.*[0-9])(?=.*[!@#])[A-Za-z0-9!@#]{8,12}$"], [], 0, None),
    (["b+c"], [], 12, 14),
    (["^\\d{4}-\\d\\d$", "7"], ["0"], 0, None),
    (["^(?!.*foo)[a-z]*bar$"], [], 6, None),
    (["^a+$"], ["^(aa)+$"], 100, None),
    (["^(?:[01]\\d|2[0-3]):[0-5]\\d$"], [], 0, None),
    (["a", "b", "c", "d"], [], 0, 4),
    (["(^|,)x(,|$)"], ["^x$"], 0, 6),
    (["^.{3}$"], ["a"], 0, None),
    (["^[^a-y]$"], [], 0, None),
    (["\\s"], ["\\w"], 0, 3),
    (["^a{0,3}(b|c){2}$"], [], 5, 5),
]
EMPTY: list[tuple[list[str], list[str], int, int | None]] = [
    (["^[a-z]{5}$"], [], 0, 4),
    (["^[a-z]{2,3}$"], [], 4, None),
    (["^a", "^b"], [], 0, None),
    (["a^b"], [], 0, None),
    (["$a"], [], 0, None),
    (["^(?!a)a$"], [], 0, None),
    (["^(a+)+$"], ["^a+$"], 30, None),
    (["^(aa)+$"], [], 7, 7),
    (["^\\d+$"], ["\\d"], 0, None),
    (["a", "b", "c"], [], 0, 2),
]


@each_row(("patterns", "denied", "shortest", "longest"), SATISFIABLE)
def test_texts_meet_every_demand(patterns: list[str], denied: list[str], shortest: int, longest: int | None) -> None:
    language = language_of(patterns, denied)
    for seed in range(20):
        text = language.make(Random(seed), shortest, longest)
        assert shortest <= len(text) <= (longest or 10**6)
        assert all(jsonschema_rs.is_valid({"pattern": pattern}, text) for pattern in patterns), text
        assert not any(jsonschema_rs.is_valid({"pattern": pattern}, text) for pattern in denied), text


@each_row(("patterns", "denied", "shortest", "longest"), EMPTY)
def test_that_there_is_no_text_is_proven(
    patterns: list[str], denied: list[str], shortest: int, longest: int | None
) -> None:
    language = language_of(patterns, denied)
    assert language.is_exact
    assert not language.has_texts(shortest, longest)
    assert language.count(shortest, longest, 10) == 0
    with pytest.raises(GaveUp):
        language.make(Random(1), shortest, longest)


@pytest.mark.parametrize(
    ("pattern", "count"),
    [
        ("^[a-z]$", 26),
        ("^(a|b){3}$", 8),
        ("^a?b?$", 4),
        ("^(?:[01]\\d|2[0-3]):[0-5]\\d$", 1440),
        ("^a*$", 2000),
        ("^$", 1),
    ],
)
def test_texts_are_counted(pattern: str, count: int) -> None:
    assert language_of([pattern]).count(0, None, 2000) == count


@pytest.mark.parametrize(
    "pattern", ["^(a)\\1$", "\\bword\\b", "^(?<=a)b$", "^(a|b)*a(a|b){14}$", "^a{500}$", "(", "^(^a)*$"]
)
def test_what_is_beyond_an_automaton_of_moderate_size_is_declined(pattern: str) -> None:
    with pytest.raises(Declined):
        language_of([pattern])


def test_properties_of_unicode_prove_nothing() -> None:
    assert not language_of(["^\\p{Lu}+$"]).is_exact


ATOMS = st.sampled_from(["a", "b", "[ab]", "[^a]", ".", "(ab|b)", "(a|)", "c?"])
PATTERNS = st.lists(st.tuples(ATOMS, st.sampled_from(["", "*", "+", "?", "{2}", "{0,2}"])), min_size=1, max_size=4).map(
    lambda parts: "".join(atom + ("" if atom.endswith("?") else mark) for atom, mark in parts)
)


@settings(max_examples=150, deadline=None)
@given(pattern=PATTERNS, other=PATTERNS, text=st.text(alphabet="abcd", max_size=6), ends=st.booleans())
def test_an_automaton_agrees_with_re(pattern: str, other: str, text: str, ends: bool) -> None:
    pattern = f"^({pattern})$" if ends else pattern
    exactly = f"^{re.escape(text)}$"
    language = language_of([pattern, exactly], [other])
    assert language.has_texts(0, None) == bool(re.search(pattern, text) and not re.search(other, text))


def test_sets_of_characters() -> None:
    vowels = spans_of("aeiou")
    assert [holds(vowels, ord(char)) for char in "abe"] == [True, False, True]
    assert without(without(vowels)) == vowels
    assert without(()) == EVERY and without(EVERY) == ()
    assert set(plausible(vowels)) == set("aeiou")
    assert plausible(((0x4E00, 0x4E01),)) == "一丁"
    assert plausible(((0x300, 0x301),)) == "\u0300\u0301"
    assert plausible(()) == ""


def test_equal_expressions_are_one() -> None:
    store = Expressions(3)
    a, b = store.letter(frozenset({0})), store.letter(frozenset({1}))
    assert store.either(a, b) == store.either(b, a, a) == store.letter(frozenset({0, 1}))
    assert store.both(a, b) == store.nothing
    assert store.then(store.then(a, b), a) == store.then(a, store.then(b, a))
    assert store.denied(store.denied(a)) == a
    assert store.repeated(store.letter(store.every_letter)) == store.anything
    assert store.derivative(store.then(a, b), 0) == b


@each_row("form", sorted(SHAPES))
def test_shapes_admit_every_text_of_the_format(form: str) -> None:
    """A shape that refused one would prove what is not so."""
    for text in EXAMPLES[form].split(" "):
        assert jsonschema_rs.is_valid({"format": form}, text, validate_formats=True), text
        assert jsonschema_rs.is_valid({"pattern": SHAPES[form]}, text), text


@each_row("form", sorted(PLAIN_SHAPES.keys() - {"date", "date-time", "duration", "time", "uuid"}))
def test_plain_texts_are_of_their_format(form: str) -> None:
    language = language_of([PLAIN_SHAPES[form]])
    texts = (
        [language.make(Random(seed), length, None) for seed in range(10) for length in (0, 9)] if form in LONG else []
    )
    assert all(jsonschema_rs.is_valid({"format": form}, text, validate_formats=True) for text in texts)


LONG = set(PLAIN_SHAPES) - {"date", "time", "date-time", "duration", "uuid", "ipv4"}
EXAMPLES = {
    "date": "2024-02-29 0001-01-01 9999-12-31",
    "time": "23:59:60Z 08:30:06.283185Z 08:30:06-08:00 00:00:00+23:59 08:30:06z",
    "date-time": "1963-06-19T08:30:06.283185Z 1990-12-31T15:59:59-08:00 1963-06-19t08:30:06.283185z",
    "duration": "P4DT12H30M5S P4Y PT0S P0D P1M PT1M PT36H P1DT12H P2W P1Y2M3DT4H5M6S P1Y2M",
    "uuid": "2EB8AA08-AA98-11EA-B4AA-73B441D16380 2eb8aa08-AA98-11ea-B4Aa-73B441D16380",
    "ipv4": "192.168.0.1 0.0.0.0 255.255.255.255 87.10.0.1",
    "ipv6": "::1 :: ::abef 1::d6 1:d6::42 1:2::192.168.0.1 ::ffff:192.168.0.1 1:2:3:4:5:6:7:8 ::42:ff:1 d6::",
    "hostname": "www.example.com xn--4gbwdl.xn--wgbh1c a.b.c.d hostname host-name h0stn4me 1host",
    "idn-hostname": "실례.테스트 www.example.com ßς་〇 א״ב",
    "email": "joe.bloggs@example.com te~st@example.com ~test@example.com joe@[127.0.0.1] te.s.t@example.com",
    "idn-email": "실례@실례.테스트 joe.bloggs@example.com",
    "uri": "http://foo.bar/?baz=qux#quux ldap://[2001:db8::7]/c=GB?one mailto:J.Doe@example.com urn:isbn:1 a:",
    "iri": "http://ƒøø.ßår/?∂éœ=πîx#πîüx urn:a http://[2001:0db8:85a3::7334]",
    "uri-reference": "http://foo.bar/ //foo.bar/?baz /abc abc ?a #b",
    "iri-reference": "//ƒøø.ßår/?∂éœ=πîx /âππ #ƒrägmênt âππ",
    "uri-template": "http://example.com/dictionary/{term:1}/{term} dictionary/{term} /a",
    "json-pointer": "/foo/bar~0/baz~1/%a /foo// /~0~1 /c%d /\u0001 /",
    "relative-json-pointer": "1 0/foo/bar 2/0/baz/1/zip 0# 120/foo",
}
