"""What the user denies, corrects and takes back is respected by calls; what only looks like it is no denial."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.validation import check
from generator.validation.grounding.reading.denial_words import cues_of, may_deny
from generator.validation.grounding.reading.denials import DenialReading
from generator.validation.grounding.reading.languages import LANGUAGES
from generator.validation.grounding.reading.words import literals_of
from tests.bounded import bounded
from tests.checkout import CHECKOUT
from tests.record_examples import FIRST, SECOND, call
from tests.tables import each_row

Json = Any  # parsed JSON
Call = tuple[str, Json]

CHOICES = {
    "account": ["checking", "savings", "joint"],
    "mode": ["car", "bike", "bus", "foot"],
    "speed": ["standard", "express", "economy"],
}
"""Parameters of the examples that are chosen from."""


def record(asked: str | list[str], *calls: Call, result: Json = None) -> Json:
    """A record of calls that follow what was asked; between several messages the assistant asks back."""
    asked = [asked] if isinstance(asked, str) else asked
    messages: list[Json] = []
    for text in asked:
        messages += [{"role": "assistant", "content": "Could you tell me more?"}] if messages else []
        messages += [{"role": "user", "content": text}]
    ids = (FIRST, SECOND, "abcdefghi")
    entries = [call(ids[at], name, arguments) for at, (name, arguments) in enumerate(calls)]
    messages.append({"role": "assistant", "content": "", "tool_calls": entries})
    tools: dict[str, Json] = {}
    for name, arguments in calls:
        known = tools.setdefault(name, {})
        known.update({each: {"enum": CHOICES[each]} if each in CHOICES else {} for each in arguments})
    return {
        "messages": messages,
        "tools": [
            {"type": "function", "function": {"name": name, "description": "Act.",
                                              "parameters": {"type": "object", "properties": properties}}}
            for name, properties in tools.items()
        ],
        "metadata": {"reference_date": "2026-01-15"},
    }  # fmt: skip


def found(asked: str | list[str], *calls: Call, at_least: str = "note") -> list[str]:
    """What the rule finds."""
    sure = ("error", "warning", "note")
    return [
        each.message
        for each in check(record(asked, *calls), generated=True)
        if each.rule == "TC211" and sure.index(each.severity) <= sure.index(at_least)
    ]


BAD: list[tuple[str | list[str], *tuple[Call, ...]]] = [
    ("assign WO-1237 to Anna, no, Berta", ("assign", {"order": "WO-1237", "to": "Anna"})),
    ("assign WO-1237 to Anna, no Berta", ("assign", {"order": "WO-1237", "to": "Anna"})),
    ("Fly to JFK, no LHR", ("book_flight", {"to": "JFK"})),
    ("Delete pages 8430 and 8431, but leave page 8432 alone.", ("delete_page", {"page": 8432})),
    ("Not Berlin but Bonn, please: the weather there.", ("get_weather", {"city": "Berlin"})),
    ("What's the weather in Bonn, not Berlin?", ("get_weather", {"city": "Berlin"})),
    ("Take table B12 instead of table A7.", ("book_table", {"table": "A7"})),
    ("Instead of A7 take B12.", ("book_table", {"table": "A7"})),
    ("I'd like the Alder rather than the Birch Room.", ("book_room", {"room": "Birch Room"})),
    ("Book 2 tickets, no, make it 3.", ("book_tickets", {"tickets": 2})),
    ("Book 2 tickets for Friday. Actually, make that 4 tickets.", ("book_tickets", {"tickets": 2})),
    ("Send 500 to Ann. Sorry, 5000.", ("send_money", {"to": "Ann", "amount": 500})),
    ("Send 500 to Ann. Correction: 5000.", ("send_money", {"to": "Ann", "amount": 500})),
    ("Transfer $80 from checking. No, take it from savings.", ("transfer", {"account": "checking", "amount": 80})),
    ("How long by bus? Or wait, by bike.", ("get_route", {"mode": "bus"})),
    ("Cancel order 5512. Actually, no.", ("cancel_order", {"order_id": "5512"})),
    ("Order 12 roses. Never mind.", ("order_flowers", {"count": 12})),
    ("Order 12 roses. Hmm, forget it.", ("order_flowers", {"count": 12})),
    ("Please order 12 roses... on second thought, don't.", ("order_flowers", {"count": 12})),
    ("Look up flight LH430. No wait, forget that. What's the weather in Rome?", ("get_flight", {"flight": "LH430"})),
    (["Order 12 roses.", "Oh, never mind."], ("order_flowers", {"count": 12})),
    ("Don't cancel order 5512.", ("cancel_order", {"order_id": "5512"})),
    ("Book the Alder Room, but please do not book Birch Room.", ("book_room", {"room": "Birch Room"})),
    ("Remind Ann about lunch. You don't have to remind Bob.", ("remind", {"name": "Bob"})),
    ("No need to email Bob, just email Ann.", ("email", {"to": "Bob"})),
    ("I'm thinking of the Stonebridge for 5 nights, but don't book anything yet.", ("book_hotel", {"nights": 5})),
    ("Any flights to Oslo on 2026-03-05? Just don't book it.", ("book_flight", {"date": "2026-03-05"})),
    ("Play something by Abba except Waterloo.", ("play_song", {"title": "Waterloo"})),
    ("Invite Ann and Eve. Skip Bob.", ("invite", {"name": "Bob"})),
    ("Weather in Rome? Forget about Oslo.", ("get_weather", {"city": "Oslo"})),
    ("Hold off on paying invoice 7731.", ("pay_invoice", {"invoice": 7731})),
    ("Pay from my joint account. Don't touch savings.", ("pay", {"account": "savings"})),
    ("Pay Ann 40 and Bob 60. The 60 for Bob can wait.", ("pay", {"to": "Ann", "amount": 40}),
     ("pay", {"to": "Bob", "amount": 60})),
    ("Directions from Central Station to the park. From Founders Hall, I mean.",
     ("get_route", {"start": "Central Station", "end": "park"})),
    ("Meet on 2026-02-03. No, sorry, on 2026-02-04.", ("add_event", {"date": "2026-02-03"})),
    ("Meet me at 10:30. Wait, at 11:30.", ("add_event", {"time": "10:30"})),
    ("Two seats at 9:30 am, no wait, make it 4.", ("book", {"seats": 2, "time": "09:30"})),
    ("Courts for 4 at 5 pm. Make it 6... no, 3.", ("book", {"players": 4, "time": "18:00"})),
    ("I'd like a haircut with Mia. Oh, never mind. Just show me her prices.", ("book_haircut", {"stylist": "Mia"})),
    ("Is the Ash depot open today? Actually, forget it, I no longer need it.", ("get_depot", {"depot": "Ash"})),
    ("Block a quarter of an hour with Eve. No, better a full hour.", ("block", {"with": "Eve", "minutes": 15})),
    # German
    ("Buche bitte das Zimmer 214, nicht das Zimmer 215.", ("book_room", {"room": 215})),
    ("Nimm Bonn statt Berlin.", ("get_weather", {"city": "Berlin"})),
    ("Wie ist das Wetter nicht in Berlin, sondern in Bonn?", ("get_weather", {"city": "Berlin"})),
    ("Buche 2 Karten. Nein, doch lieber 3.", ("book_tickets", {"tickets": 2})),
    ("Überweise 500 an Ann. Moment, 5000.", ("send_money", {"to": "Ann", "amount": 500})),
    ("Bestell bitte 12 Rosen. Ach nein, vergiss es.", ("order_flowers", {"count": 12})),
    ("Storniere 5511. Die 5512 lass bitte in Ruhe.", ("cancel_order", {"order_id": "5512"})),
    # Spanish
    ("Quiero el tiempo de Bilbao, no de Burgos.", ("get_weather", {"city": "Burgos"})),
    ("Reserva el hotel Sol en vez de el hotel Luna.", ("book_hotel", {"hotel": "hotel Luna"})),
    ("Compra 2 entradas. No, perdón, 3.", ("book_tickets", {"tickets": 2})),
    ("Pide 12 rosas. Mejor no, olvídalo.", ("order_flowers", {"count": 12})),
    ("Envía el informe a Ana, pero no le envíes nada a Luis.", ("send", {"to": "Ana"}), ("send", {"to": "Luis"})),
    # French
    ("La météo de Lyon, pas de Lille, s'il te plaît.", ("get_weather", {"city": "Lille"})),
    ("Prends la table B12 au lieu de la A7.", ("book_table", {"table": "A7"})),
    ("Réserve 2 billets. Non, pardon, 3 billets.", ("book_tickets", {"tickets": 2})),
    ("Commande 12 roses. Finalement non, laisse tomber.", ("order_flowers", {"count": 12})),
    # Chinese
    ("我要订302房间，不是301。", ("book_room", {"room": 301})),
    ("帮我订2张票。不对，3张。", ("book_tickets", {"tickets": 2})),
    ("帮我订12朵玫瑰。算了，不用了。", ("order_flowers", {"count": 12})),
]  # fmt: skip

GOOD: list[tuple[str | list[str], *tuple[Call, ...]]] = [
    ("assign WO-1237 to Jane, no SMS", ("assign", {"order": "WO-1237", "to": "Jane", "notify": False})),
    ("assign WO-1237 to Jane Lee. No SMS, please.", ("assign", {"order": "WO-1237", "to": "T-231", "notify": False})),
    ("Asigna WO-1237 a Ana, no SMS", ("assign", {"order": "WO-1237", "to": "Ana", "notify": False})),
    ("Don't forget to book 12 seats.", ("book_seats", {"seats": 12})),
    ("Before I forget: book 12 seats.", ("book_seats", {"seats": 12})),
    ("The weather, not only in Berlin but also in Bonn.", ("get_weather", {"city": "Berlin"}),
     ("get_weather", {"city": "Bonn"})),
    ("Book it no later than 2026-02-03.", ("book", {"latest": "2026-02-03"})),
    ("Find me a hotel for not more than 120 a night.", ("find_hotels", {"max_price": 120})),
    ("Why not Rome? Find flights.", ("find_flights", {"city": "Rome"})),
    ("It's not working: restart server 7.", ("restart", {"server": 7})),
    ("No problem. Book 3 seats.", ("book_seats", {"seats": 3})),
    ("I can't find my order 5512. Where is it?", ("get_order", {"order_id": "5512"})),
    ("I don't have the invoice for order 5512, can you send it?", ("send_invoice", {"order_id": "5512"})),
    ("My parcel PX-4411 has not arrived.", ("track", {"number": "PX-4411"})),
    ("I didn't get parcel PX-4411.", ("track", {"number": "PX-4411"})),
    ("Find recipes without garlic.", ("find_recipes", {"exclude": "garlic"})),
    ("Any movie except Alien, please.", ("find_movies", {"excluded_title": "Alien"})),
    ("Everything but not the sports section: sports is dull.", ("get_news", {"blocked": "sports"})),
    ("Replace Ann with Bob.", ("replace", {"old": "Ann", "new": "Bob"})),
    ("Put Bob instead of Ann on the shift.", ("replace", {"old_name": "Ann", "new_name": "Bob"})),
    ("I don't need order 5512 any more. Cancel it.", ("cancel_order", {"order_id": "5512"})),
    ("I no longer want the alert for Bangkok.", ("delete_alert", {"city": "Bangkok"})),
    ("Not Berlin but Bonn.", ("get_weather", {"city": "Bonn"})),
    ("Book 2 tickets, no, make it 3.", ("book_tickets", {"tickets": 3})),
    ("Send 500 to Ann. Sorry, 5000.", ("send_money", {"to": "Ann", "amount": 5000})),
    ("Sorry, I was away for 3 days. Book 2 tickets.", ("book_tickets", {"tickets": 2})),
    ("Book 2 tickets. Sorry for asking so late, my 3 kids kept me busy.", ("book_tickets", {"tickets": 2})),
    ("Cancel order 5512. No, I don't need the receipt.", ("cancel_order", {"order_id": "5512"})),
    ("Don't cancel order 5512, just show me its status.", ("get_order_status", {"order_id": "5512"})),
    ("Don't book anything over 200: find hotels in Rome.", ("find_hotels", {"city": "Rome", "max_price": 200})),
    ("If there's no table at 7, don't book one at 8. Try 7.", ("book_table", {"hour": 7})),
    ("Get the first concert in Atlanta that costs 60 or less. If there's none, leave it.",
     ("find_concerts", {"city": "Atlanta", "price": 60})),
    ("Tell Bob not to come on 2026-02-03.", ("send_message", {"to": "Bob", "text": "Don't come on 2026-02-03."})),
    ('Write to Ann: "Never mind, I found it."', ("send_message", {"to": "Ann", "text": "Never mind, I found it."})),
    ("Post the following: Don't feed Rex.", ("post", {"text": "Don't feed Rex"})),
    ("Not sure about 2026-02-03, is it free?", ("get_day", {"date": "2026-02-03"})),
    ("Whether or not Ann comes, book 4 seats.", ("book_seats", {"seats": 4})),
    (["Book a table.", "No, nothing else. For 4 people."], ("book_table", {"people": 4})),
    ("Leave a note for Ann: lunch at 12.", ("leave_note", {"for": "Ann", "text": "lunch at 12"})),
    ("I'm leaving Oslo on 2026-02-03.", ("find_flights", {"origin": "Oslo", "date": "2026-02-03"})),
    ("Skip 20 and show 10.", ("list_items", {"skip": 20, "limit": 10})),
    ("Actually, could you book 2 tickets?", ("book_tickets", {"tickets": 2})),
    ("Wait for 5 seconds, then restart server 7.", ("wait", {"seconds": 5}), ("restart", {"server": 7})),
    ("No, I don't want to miss Abba: book 2 tickets.", ("book", {"artist": "Abba", "tickets": 2})),
    ("What's new in Rome? I've never been to Rome.", ("get_news", {"city": "Rome"})),
    ("Don't worry about the price, book the Alder Room.", ("book_room", {"room": "Alder Room"})),
    ("I don't mind changing planes. Paris to Oslo?", ("find_flights", {"origin": "Paris", "destination": "Oslo"})),
    ("Change my booking from Berlin instead of Bonn to Rome.",
     ("change", {"from": "Bonn", "via": "Berlin", "to": "Rome"})),
    ("Never mind the cost, send 12 roses.", ("order_flowers", {"count": 12})),
    ("I changed my mind about order 5512, please return it.", ("return_order", {"order_id": "5512"})),
    ("It can't wait: pay invoice 7731.", ("pay_invoice", {"invoice": 7731})),
    ("The office is not 24 degrees yet, set it to 24.", ("set_heating", {"degrees": 24})),
    ("Would you rather take B12 or A7? Book B12.", ("book_table", {"table": "B12"})),
    ("Don't be late: the meeting is at 10:30, add it.", ("add_event", {"time": "10:30"})),
    ("No worries, 3 is fine.", ("book_tickets", {"tickets": 3})),
    ("Turn off the light in the Alder Room, I don't need it.", ("turn_off", {"room": "Alder Room"})),
    ("A boat for six at 3 pm on Sunday, no, make it 4.", ("rent_boat", {"people": 6, "time": "16:00"})),
    ("Lanes for four at 5 pm... make it 6... no, 5 is better.", ("book", {"players": 4, "time": "17:00"})),
    ("Return my drill from the Ash depot. Oh, never mind. Just show me when it closes.",
     ("show_depot", {"depot": "Ash"})),
    ("Delete backup nightly-7. Actually, never mind. How large is it?", ("get_backup", {"name": "nightly-7"})),
    # German
    ("Ich kann meine Bestellung 5512 nicht finden.", ("get_order", {"order_id": "5512"})),
    ("Vergiss nicht, 12 Plätze zu buchen.", ("book_seats", {"seats": 12})),
    ("Warum nicht Rom? Such Flüge nach Rom.", ("find_flights", {"city": "Rom"})),
    ("Der Server 7 funktioniert nicht, starte ihn neu.", ("restart", {"server": 7})),
    ("Nicht nur Berlin, sondern auch Bonn.", ("get_weather", {"city": "Berlin"}), ("get_weather", {"city": "Bonn"})),
    ("Buche nicht später als 2026-02-03.", ("book", {"latest": "2026-02-03"})),
    ("Die Bestellung 5512 brauche ich nicht mehr, storniere sie.", ("cancel_order", {"order_id": "5512"})),
    ("Halt bitte den Termin am 2026-02-03 fest.", ("add_event", {"date": "2026-02-03"})),
    # Spanish
    ("No encuentro mi pedido 5512.", ("get_order", {"order_id": "5512"})),
    ("No olvides reservar 12 asientos.", ("book_seats", {"seats": 12})),
    ("No solo Bilbao, también Burgos.", ("get_weather", {"city": "Bilbao"}), ("get_weather", {"city": "Burgos"})),
    ("Ya no necesito el pedido 5512, cancélalo.", ("cancel_order", {"order_id": "5512"})),
    ("¿Por qué no Roma? Busca vuelos a Roma.", ("find_flights", {"city": "Roma"})),
    # French
    ("Je ne trouve pas ma commande 5512.", ("get_order", {"order_id": "5512"})),
    ("N'oublie pas de réserver 12 places.", ("book_seats", {"seats": 12})),
    ("Pourquoi pas Rome ? Cherche des vols pour Rome.", ("find_flights", {"city": "Rome"})),
    ("Pas plus de 120 euros la nuit.", ("find_hotels", {"max_price": 120})),
    # Chinese
    ("别忘了订12个座位。", ("book_seats", {"seats": 12})),
    ("我找不到订单5512。", ("get_order", {"order_id": "5512"})),
    ("不超过120元的酒店。", ("find_hotels", {"max_price": 120})),
    # languages without a table
    ("Inte Oslo utan Bergen, tack.", ("get_weather", {"city": "Oslo"})),
]  # fmt: skip


@each_row("case", BAD, ids=lambda case: str(case[0])[:60])
def test_what_is_denied_corrected_or_taken_back_is_found(case: Any) -> None:
    asked, *calls = case
    assert found(asked, *calls, at_least="warning") != []


@each_row("case", GOOD, ids=lambda case: str(case[0])[:60])
def test_what_only_looks_like_a_denial_is_none(case: Any) -> None:
    asked, *calls = case
    assert found(asked, *calls, at_least="warning") == []


def phrases(language: str) -> list[str]:
    """Every phrase of a table that denies, corrects or takes back."""
    table = tomllib.loads((CHECKOUT / f"generator/assets/language/{language}.toml").read_text("utf-8"))["denial"]
    names = ("contrasts", "dropping", "dropped", "deeds", "corrections", "meant", "withdrawals", "nothing")
    return [phrase for name in names for phrase in table.get(name, ())] + [
        f"{before} it {after}" for before, after in table["around"]
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_first_look_passes_over_no_phrase(language: str) -> None:
    said = "{}{}好" if language == "zh" else "So {} {}, then."
    assert [phrase for phrase in phrases(language) if not may_deny(said.format(phrase, "7"))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_the_same_sorts_of_cues(language: str) -> None:
    cues = cues_of(language)
    assert all(getattr(cues, name).pattern != "(?!)" for name in ("contrasts", "corrections", "withdrawals", "dropped"))


@each_row(
    "text",
    [
        "not " * 5_000,
        "don't book " * 4_000,
        "leave " * 5_000 + "alone",
        "no, " * 5_000,
        "never mind. " * 3_000,
        "actually no, forget it, " * 4_000,
        '"' * 15_000,
        "I mean " * 4_000 + "7",
        "instead of 7 and " * 5_000,
        "不要" * 15_000,
        "ne " * 5_000 + "pas",
        "Rome, " * 6_000 + "and Oslo",
        "a@" * 5_000,
        "x" * 50_000,
        "A" * 15_000,
        "A-1_" * 5_000,
        "/a" * 15_000,
    ],
    ids=lambda text: text[:12],
)
def test_hostile_texts_take_little_time(text: str) -> None:
    with bounded(6):
        DenialReading(text)
        literals_of(text)
        found(text, ("book", {"number": 7, "city": "Rome"}))


@given(
    st.text(alphabet="ab 7,.!?'\"\n不是算了别", max_size=60),
    st.sampled_from(["not", "don't", "no,", "nein", "no", "pas"]),
)
def test_any_text_can_be_read(text: str, cue: str) -> None:
    reading = DenialReading(f"{text} {cue} {text}")
    for denied in reading.denied:
        assert 0 <= denied.start <= denied.end <= len(reading.text)
    assert [clause.end for clause in reading.clauses] == sorted(clause.end for clause in reading.clauses)
    found(f"{text} {cue} {text}", ("book", {"name": "ab", "number": 7}))
