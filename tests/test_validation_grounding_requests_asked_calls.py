"""Tool fit: calls of the wrong tool, deeds that nobody asks for, and what is asked for and left undone."""

from __future__ import annotations

from typing import Any

import pytest

from generator.validation.grounding.requests.asked_calls import repeated_calls, unasked_deeds, without_consent
from generator.validation.view import RecordView
from tests.answer_examples import found as severities_found
from tests.answer_examples import told, tool
from tests.tables import each_row
from tests.test_validation_grounding_requests_last_word import record

Json = Any  # parsed JSON
TEXT = {"type": "string"}
GREENHOUSE = (
    tool("water_bed", "Water one bed of the greenhouse.", bed=TEXT, litres={"type": "number"}),
    tool("open_vents", "Open the roof.", share={"type": "number"}),
    tool("order_seeds", "Order from the nursery.", plant=TEXT, packets={"type": "number"}),
)
WATERED = ("water_bed", {"bed": "B4", "litres": 12}, {"bed": "B4", "litres": 12})
LOANS = (
    tool("extend_loan", "More time for a book.", book=TEXT, weeks={"type": "number"}),
    tool("return_book", "Bring a book back.", book=TEXT),
)


@pytest.mark.parametrize(
    "asked",
    [
        "Water bed B4 with 12 litres and open the vents halfway, it is hot in there.",
        "Bed B4 needs 12 litres. Also order eight packets of fennel seeds.",
        "12 litres for bed B4 please. Could you order new chard seeds as well?",
    ],
)
def test_a_wish_that_another_tool_serves_is_not_dropped(asked: str) -> None:
    document = told(asked, "Bed B4 got its 12 litres.", WATERED, tools=GREENHOUSE)
    assert "warning" in severities_found(document, "TC212", generated=False)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Water bed B4 with 12 litres.", "Bed B4 got its 12 litres."),
        ("Water bed B4 with 12 litres, but don't open the vents in there.", "Bed B4 got its 12 litres."),
        ("Water bed B4 with 12 litres, and open nothing in there.", "Bed B4 got its 12 litres."),
        ("Water bed B4 with 12 litres, and open the vents.", "Bed B4 got 12 litres; how far shall I open the vents?"),
        ("12 litres for bed B4. I've ordered the fennel seeds myself.", "Bed B4 got its 12 litres."),
        ("12 litres for bed B4. If it rains on the weekend, order fennel.", "Bed B4 got its 12 litres."),
    ],
)
def test_what_is_denied_told_of_or_conditional_is_none(asked: str, answer: str) -> None:
    assert severities_found(told(asked, answer, WATERED, tools=GREENHOUSE), "TC212", generated=False) == []


@pytest.mark.parametrize("asked", ["Extend Dune for me.", "I need Dune for longer, can you extend it?"])
def test_the_tool_that_is_spoken_of_is_the_one_to_call(asked: str) -> None:
    document = told(asked, "All done.", ("return_book", {"book": "Dune"}, {"ok": True}), tools=LOANS)
    assert severities_found(document, "TC220", generated=False) == ["warning"]


@pytest.mark.parametrize(
    "asked",
    [
        "Return Dune.",
        "I'm through with Dune.",
        "Don't extend Dune, I have read it.",
        "Bring Dune back, I can't extend it.",
    ],
)
def test_who_speaks_of_neither_or_denies_the_other_may_get_this_one(asked: str) -> None:
    document = told(asked, "All done.", ("return_book", {"book": "Dune"}, {"ok": True}), tools=LOANS)
    assert severities_found(document, "TC220", generated=False) == []


UNASKED = [
    ("What's on my calendar tomorrow?", "delete_event", "get_event"),
    ("Show me order 5521.", "cancel_order", "get_order"),
    ("Please get me a table for four at Nobu.", "cancel_table", "book_table"),
    ("Play the new album by Rosalía.", "remove_album", "play_album"),
    ("Please remove the 7 AM alarm.", "duplicate_alarm", "remove_alarm"),
    ("Turn the volume up to 60.", "clear_volume", "set_volume"),
    ("Subscribe me to the Monday letter.", "unsubscribe_letter", "subscribe_letter"),
    ("Wie wird das Wetter in Graz?", "delete_weather", "get_weather"),
    ("¿Qué tiempo hace en Lugo?", "delete_weather", "get_weather"),
    ("Quel temps fait-il à Lyon ?", "delete_weather", "get_weather"),
    ("帮我查一下北京的天气。", "delete_weather", "get_weather"),
]
ASKED = [
    ("Cancel order 5521.", "cancel_order", "get_order"),
    ("The alarm at seven can go.", "delete_alarm", "set_alarm"),
    ("I can't make it to the dentist on Monday.", "cancel_appointment", "get_appointment"),
    ("We don't need the table at Nobu any longer.", "cancel_table", "book_table"),
    ("Get rid of that old playlist.", "delete_playlist", "get_playlist"),
    ("I sold the car.", "remove_car", "add_car"),
    ("Take milk off the list.", "remove_item", "add_item"),
    ("Make me another one like task 12.", "duplicate_task", "create_task"),
    ("Termin 12 bitte absagen.", "cancel_appointment", "get_appointment"),
    ("Ya no quiero el pedido 12.", "cancel_order", "get_order"),
    ("Je ne veux plus de la commande 12.", "cancel_order", "get_order"),
    ("订单12我不要了。", "cancel_order", "get_order"),
    ("How is the weather?", "delete_cache", "get_weather"),
]


def unasked(asked: str, name: str, *shown: str) -> list[str | None]:
    """How sure the examiner is of a call of a tool beside which others are shown."""
    document = record(asked, (name, {"thing": "it"}))
    first = document["tools"][0]
    document["tools"] += [{**first, "function": {**first["function"], "name": each}} for each in shown]
    return [each.at_most for each in unasked_deeds(RecordView(document, generated=False))]


@each_row(("asked", "name", "other"), UNASKED)
def test_what_nobody_asks_to_take_away_is_found(asked: str, name: str, other: str) -> None:
    assert unasked(asked, name, other) == ["warning"]


@each_row(("asked", "name", "other"), ASKED)
def test_what_is_asked_for_in_any_words_is_in_order(asked: str, name: str, other: str) -> None:
    assert unasked(asked, name, other) == []


def test_a_tool_for_the_same_thing_has_to_be_shown() -> None:
    assert unasked("How is the weather?", "delete_weather") == []


def test_the_contrary_of_another_call_is_found() -> None:
    asked = "Set up a schedule that switches the lights off at ten."
    document = record(asked, ("create_schedule", {"time": "22:00"}), ("delete_schedule", {"time": "22:00"}))
    (found,) = unasked_deeds(RecordView(document, generated=False))
    assert found.pointer == "/messages/1/tool_calls/1"


DEMANDS = [
    "Book me a table at Nobu for Friday at 8, but check with me before you finalize it.",
    "Please wire 400 to Ana. Hold off until I've okayed the amount.",
    "Cancel my gym membership. Run it by me first, though.",
    "Draft and send the email to HR - I'd like to see it before it goes out.",
    "Delete the old backups. Nothing should be removed without my explicit approval.",
    "Order 20 boxes of paper. Don't place the order until I say so.",
    "Please update the address, pending my confirmation.",
    "Transfer the money, but first confirm with me.",
    "Before you book anything, ask me.",
    "Set up the meeting, and please get my OK before sending invites.",
    "Don't send it without asking me.",
    "I want to approve this before you post it.",
    "Sell 10 shares of Apple. Don't execute anything unless I give the go-ahead.",
    "Buy the tickets - only after I've confirmed the dates.",
    "Show me the draft before you send it to Bob.",
    "Let me know before you charge the card.",
    "Turn off the heating in the office, but double-check with me beforehand.",
    "You must wait for my go-ahead. Then reboot the server.",
    "Reboot the server, but not before I've given you the green light.",
    "Buchen Sie das Hotel, aber warten Sie bitte auf meine Bestätigung.",
    "Lösch die Datei, aber frag mich vorher.",
    "Überweise 50 Euro an Anna, aber erst, wenn ich zugestimmt habe.",
    "Schick die Mail ab, aber zeig mir den Text vorher.",
    "Reserva la mesa, pero consúltame primero.",
    "Cancela la cita, pero espera a que te lo confirme.",
    "Borra el archivo, pero no lo hagas sin mi permiso.",
    "Réserve la table, mais attends mon feu vert.",
    "Envoie le mail, mais pas sans mon accord.",
    "Supprime le fichier, mais montre-moi la liste avant.",
    "帮我订机票，订之前先问一下我。",
    "把文件删了，但要等我确认。",
    "取消订单，没有我的同意不要动。",
]
NONE = [
    "Book me a table at Nobu for Friday at 8, no need to check with me.",
    "Ask Tom before Friday whether he is coming.",
    'Send a message to Ann: "Ask me before you buy anything."',
    "Remind me to check with the bank before noon.",
    "Transfer 50 to Ana; you don't have to ask me first.",
    "Show me my loans first and then renew The Lake.",
    "Set an alarm for 7 and wait until I get home to turn the heating on.",
    "I've already confirmed it with my boss, so book it.",
    "Book the room before I arrive.",
    "Check the weather before you book the tour.",
    "Save the document and confirm when done.",
    "Please delete it without asking me again.",
    "Confirm my booking for Friday.",
    "Ask my accountant for his reply.",
    "Tell me the balance first, then send 40 to Bob.",
    "Let me know when it is booked.",
    "What do I need to check before my flight?",
    "Book it now, I want to see Rome before I die.",
    "Give me the status of my order and the answer to my complaint.",
    "Erstelle einen Termin, du brauchst mich nicht zu fragen.",
    "Buche das Zimmer, bevor ich ankomme.",
    "Reserva antes de las ocho.",
    "Réserve avant midi et dis-moi quand c'est fait.",
    "不用问我，直接订吧。",
    "Create a reminder to ask for my deposit back.",
]
LIMITED = [
    "Book the hotel, but ask me first if it costs more than 200.",
    "Order more toner. When in doubt, check with me.",
]


def found(asked: str, *names: str, between: tuple[str, ...] = ()) -> list[tuple[str, str | None]]:
    """What is found of calls of these tools, after a question and its answer where there are any."""
    document = record(asked, *[(name, {"thing": "it"}) for name in names])
    if between:
        calls = document["messages"].pop()
        document["messages"] += [
            {"role": role, "content": text} for role, text in zip(("assistant", "user"), between, strict=True)
        ]
        document["messages"].append(calls)
    return [(each.pointer[-1], each.at_most) for each in without_consent(RecordView(document, generated=False))]


@each_row("asked", DEMANDS)
def test_what_is_done_without_the_question_is_found(asked: str) -> None:
    assert found(asked, "do_it") == [("0", "warning")]


@each_row("asked", NONE)
def test_other_words_demand_no_question(asked: str) -> None:
    assert found(asked, "do_it") == []


@pytest.mark.parametrize("asked", LIMITED)
def test_a_demand_with_a_condition_is_noted_at_the_most(asked: str) -> None:
    assert found(asked, "do_it") == [("0", "note")]


def test_what_looks_something_up_may_be_called_before_the_question() -> None:
    assert found("Cancel my order, but ask me first.", "get_order", "cancel_order") == [("1", "warning")]


def test_only_what_the_demand_speaks_of_needs_the_question() -> None:
    asked = "Add a task. And transfer the money, but ask me before you transfer money."
    assert found(asked, "add_task", "transfer_money") == [("1", "warning")]


def test_once_the_user_has_answered_all_is_in_order() -> None:
    assert found("Cancel my order, but ask me first.", "cancel_order", between=("Shall I cancel it?", "Yes.")) == []


WEATHER = ("get_weather", {"city": "Rome"}, '{"degrees": 21}')
CALLED: list[tuple[str, list[tuple[str, Json, str]], list[str]]] = [
    ("How is the weather in Rome?", [WEATHER, WEATHER], ["warning"]),
    ("Order the soap.", [("place_order", {"id": 5}, '{"order": 7}')] * 2, ["warning"]),
    ("Wie ist das Wetter in Rom?", [WEATHER, WEATHER, WEATHER], ["warning", "warning"]),
    ("Ja.", [WEATHER, WEATHER], ["warning"]),
    ("Roll a die for me.", [("roll_dice", {}, '{"rolled": 3}'), ("roll_dice", {}, '{"rolled": 3}')], []),
    ("How is the weather in Rome? Look twice.", [WEATHER, WEATHER], []),
    ("How is the weather in Rome?", [("get_weather", {}, '{"error": {"type": "T", "message": "m"}}'), WEATHER], []),
    ("Is the build done?", [("get_build", {"id": 5}, '{"state": "running"}')] * 2, []),
    ("Add a note.", [("list_notes", {}, "[]"), ("add_note", {"text": "a"}, "{}"), ("list_notes", {}, "[]")], []),
    ("The rate?", [("get_rate", {"of": "EUR"}, '{"rate": 1}'), ("get_rate", {"of": "EUR"}, '{"rate": 2}')], ["note"]),
    ("Weather in Rome and Oslo?", [WEATHER, ("get_weather", {"city": "Oslo"}, "{}")], []),
]


def view(asked: str, made: list[tuple[str, Json, str]]) -> RecordView:
    """A record of calls one after the other."""
    messages: list[Json] = [{"role": "user", "content": asked}]
    for at, (name, arguments, content) in enumerate(made):
        identity = f"abcdefgh{at}"
        call = {"id": identity, "type": "function", "function": {"name": name, "arguments": arguments}}
        messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": identity, "name": name, "content": content})
    return RecordView({"messages": messages, "tools": []}, generated=False)


@each_row(("asked", "made", "severities"), CALLED)
def test_what_is_called_again_for_nothing_is_found(
    asked: str, made: list[tuple[str, Json, str]], severities: list[str]
) -> None:
    assert [each.at_most for each in repeated_calls(view(asked, made))] == severities


def test_a_new_request_may_need_the_same_call() -> None:
    document = view("How is the weather in Rome?", [WEATHER, WEATHER]).document
    document["messages"].insert(3, {"role": "user", "content": "And now?"})
    assert list(repeated_calls(RecordView(document, generated=False))) == []
