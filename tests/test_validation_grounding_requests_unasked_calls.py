"""Whoever asks to be asked first is asked before anything is changed, and nothing is called again for nothing."""

from __future__ import annotations

from typing import Any

import pytest

from generator.validation.grounding.requests.unasked_calls import repeated_calls, without_consent
from generator.validation.view import RecordView
from tests.test_validation_grounding_requests_unwanted import record

Json = Any  # parsed JSON

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


@pytest.mark.parametrize("asked", DEMANDS)
def test_what_is_done_without_the_question_is_found(asked: str) -> None:
    assert found(asked, "do_it") == [("0", "warning")]


@pytest.mark.parametrize("asked", NONE)
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


@pytest.mark.parametrize(("asked", "made", "severities"), CALLED)
def test_what_is_called_again_for_nothing_is_found(
    asked: str, made: list[tuple[str, Json, str]], severities: list[str]
) -> None:
    assert [each.at_most for each in repeated_calls(view(asked, made))] == severities


def test_a_new_request_may_need_the_same_call() -> None:
    document = view("How is the weather in Rome?", [WEATHER, WEATHER]).document
    document["messages"].insert(3, {"role": "user", "content": "And now?"})
    assert list(repeated_calls(RecordView(document, generated=False))) == []
