"""Outcomes: what a result says became of its call, against what the answer makes of it."""

from __future__ import annotations

from typing import Any

import pytest

from generator.validation.grounding.result_status import verbs_of
from tests.answer_examples import found, told, tool
from tests.record_examples import SECOND
from tests.tables import each_row

Json = Any  # parsed JSON
FAILED: list[Json] = [
    {"deleted": False},
    {"success": False, "file": "a.txt"},
    {"status": "failed"},
    {"status": "declined", "file": "a.txt"},
    {"status": "not_done"},
    {"is_error": True},
    {"status_code": 500},
    {"error": "no such file"},
    "Error: no such file",
    {"status": "rolled_back"},
    {"result": {"success": False}},
    {"files": [{"name": "b.txt", "status": "deleted"}, {"name": "a.txt", "status": "failed"}]},
]


@each_row("value", FAILED, ids=str)
def test_a_failure_told_as_done_is_an_error_written_and_read(value: Json) -> None:
    document = told("Delete a.txt, please.", "Done, a.txt has been deleted for you.", ("delete_file", {}, value))
    assert found(document, "TC216") == ["error"]
    assert found(document, "TC216", generated=False) == ["error"]


@each_row("value", FAILED, ids=str)
@each_row(
    "answer",
    [
        "I couldn't delete a.txt.",
        "That didn't work: a.txt is still there, sorry.",
        "Leider hat das nicht geklappt, die Datei ist noch da.",
        "Lo siento, no se pudo borrar el archivo a.txt.",
        "Désolé, je n'ai pas pu supprimer le fichier.",
        "抱歉，文件没有删除成功。",
    ],
)
def test_a_failure_told_as_such_is_none(value: Json, answer: str) -> None:
    assert found(told("Delete a.txt, please.", answer, ("delete_file", {}, value)), "TC216") == []


@pytest.mark.parametrize(
    "answer",
    [
        "Listo, el archivo está borrado para ti.",
        "Erledigt, ich habe die Datei für dich gelöscht.",
        "好了，文件已经删除了。",
    ],
)
def test_a_failure_told_as_done_in_other_languages(answer: str) -> None:
    assert found(told("?", answer, ("delete_file", {}, {"success": False})), "TC216") == ["error"]


@pytest.mark.parametrize("name", ["list_files", "get_status"])
def test_parts_of_what_was_looked_up_are_no_deeds(name: str) -> None:
    value = {"jobs": [{"name": "nightly", "status": "failed"}]}
    assert found(told("Which jobs are there?", "There is one job, nightly.", (name, {}, value)), "TC216") == []


def test_a_state_that_the_tool_brings_about_is_no_failure() -> None:
    call = ("reject_request", {"id": "R-7"}, {"id": "R-7", "status": "rejected"})
    assert found(told("Reject R-7.", "R-7 has been rejected.", call), "TC216") == []


def test_a_failure_in_words_alone_is_likely() -> None:
    call = ("lock_door", {"door": "front"}, {"door": "front", "message": "The bolt could not be moved."})
    assert found(told("Lock the front door.", "The front door is locked.", call), "TC216", generated=False) == [
        "warning"
    ]
    assert found(told("Lock the front door.", "The front door couldn't be locked.", call), "TC216") == []


def test_a_later_call_makes_a_failure_good() -> None:
    document = told("Delete it.", "It is deleted.", ("delete_file", {}, {"success": True}))
    turn = told("Delete it.", "It is deleted.", ("delete_file", {}, {"success": False}))
    first, answered = turn["messages"][1:3]
    first["tool_calls"][0]["id"] = answered["tool_call_id"] = SECOND
    document["messages"][1:1] = [first, answered]
    assert found(document, "TC216") == []


@pytest.mark.parametrize(
    "answer",
    [
        "I couldn't book the table at Luna.",
        "Unfortunately the booking failed, please try again later.",
        "I'm unable to book it: something went wrong.",
        "Ich konnte den Tisch leider nicht buchen.",
        "No he podido reservar la mesa en Luna.",
        "无法预订这张桌子。",
    ],
)
def test_a_deed_that_was_done_is_not_denied(answer: str) -> None:
    value = {"booking": "B-1", "place": "Luna", "status": "confirmed"}
    document = told("Book a table at Luna.", answer, ("book_table", {"place": "Luna"}, value))
    assert "error" in found(document, "TC216")
    assert "warning" in found(document, "TC216", generated=False)


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("Order W-1 hasn't been shipped yet.", {"order_id": "W-1", "status": "processing"}),
        ("I couldn't find any flights to Oslo.", {"flights": []}),
        ("It couldn't be delivered: nobody was at home.", {"note": "delivery failed, nobody at home"}),
        ("It's booked. I can't order the flowers, though.", {"status": "confirmed"}),
    ],
)
def test_what_the_result_says_itself_may_be_told(answer: str, value: Json) -> None:
    assert found(told("What about it?", answer, ("get_it", {}, value)), "TC216") == []


@pytest.mark.parametrize(
    ("tool_name", "value", "answer", "expected"),
    [
        ("book_room", {"status": "confirmed"}, "It's canceled: your room is free again.", ["error"]),
        ("cancel_room", {"status": "canceled"}, "Your room at the inn has been booked.", ["error"]),
        ("create_issue", {"status": "open"}, "I've closed the issue for you.", ["error"]),
        ("book_room", {"status": "confirmed"}, "Dein Zimmer ist jetzt storniert.", ["error"]),
        ("cancel_room", {"status": "canceled"}, "It's canceled, as it was booked by mistake.", []),
        ("cancel_room", {"status": "canceled"}, "Your room is no longer booked.", []),
        ("book_room", {"status": "confirmed"}, "It's booked. It can be canceled until Friday.", []),
        ("update_room", {"status": "set"}, "Your room has been booked anew.", []),
    ],
)
def test_the_contrary_of_a_deed_is_told(tool_name: str, value: Json, answer: str, expected: list[str]) -> None:
    assert found(told("Take care of my room.", answer, (tool_name, {}, value)), "TC216") == expected


@each_row(
    ("answer", "value", "expected"),
    [
        ("It is open now.", {"open": False}, ["error"]),
        ("It's not open now.", {"open": True}, ["error"]),
        ("The room comes with breakfast.", {"breakfast_included": False}, ["error"]),
        ("There's no toll on the way.", {"toll": True}, ["error"]),
        ("It isn't available.", {"is_available": True}, ["error"]),
        ("It is open now.", {"open": True}, []),
        ("It's not open now.", {"open": False}, []),
        ("If it is open, go there.", {"open": False}, []),
        ("Is it open? I can't say.", {"open": False}, []),
        ("The room comes without breakfast.", {"breakfast_included": False}, []),
        ("There's a toll on the way.", {"toll": True}, []),
        ("The way is fine.", {"toll": True}, []),
    ],
)
def test_flags_are_told_as_they_are(answer: str, value: Json, expected: list[str]) -> None:
    assert found(told("How is it?", answer, ("get_it", {}, value)), "TC216") == expected


@each_row(
    ("asked", "answer", "value", "expected"),
    [
        ("Is it available?", "Yes, go and get it.", {"available": False}, ["error"]),
        ("Is it available?", "No, I'm afraid.", {"available": True}, ["error"]),
        ("Can I have it?", "No, I'm afraid.", {"available": True}, ["warning"]),
        ("Is it available?", "Yes, go and get it.", {"available": True}, []),
        ("Isn't it available?", "No, it is there.", {"available": True}, []),
        ("Is it gone?", "Yes, it went an hour ago.", {"moved": False}, []),
        ("Are there any?", "Yes, there are some.", {"flights": []}, ["warning"]),
        ("Is LH12 on time?", "No, LH12 is on time.", {"delay": 0}, ["error"]),
        ("Is LH12 on time?", "Yes, LH12 is on time.", {"delay": 0}, []),
        ("Is LH12 on time?", "No, LH12 is not on time.", {"delay": 50}, []),
    ],
)
def test_yes_and_no_are_those_of_the_result(asked: str, answer: str, value: Json, expected: list[str]) -> None:
    assert found(told(asked, answer, ("check_available", {}, value)), "TC216") == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("ISS-5 is closed now.", ["error"]),
        ("ISS-5 is in progress now.", []),
        ("ISS-5 is in progress now, no longer closed.", []),
        ("It's done.", []),
    ],
)
def test_a_state_is_no_other_choice_of_its_parameter(answer: str, expected: list[str]) -> None:
    update = tool("update_issue", status={"type": "string", "enum": ["open", "in progress", "closed"]})
    value = {"issue": "ISS-5", "status": "in progress"}
    document = told("I've begun ISS-5.", answer, ("update_issue", {"status": "in progress"}, value), tools=(update,))
    assert found(document, "TC216") == expected


def test_the_verb_of_a_tool_is_known_by_its_stem() -> None:
    assert verbs_of("deleteFile") == verbs_of("delete_files")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Solver is installed, but the licence of Plotter has run out, so that installation did not go through.", []),
        ("Solver is installed; Plotter couldn't be, its licence has run out.", []),
        ("Plotter could not be installed for want of a licence. Solver is there now.", []),
        ("Solver and Plotter are both installed.", ["error"]),
    ],
)
def test_one_done_and_one_refused_are_told_apart(answer: str, expected: list[str]) -> None:
    refused = {"installed": False, "reason": "licence has run out"}
    done = ("install_package", {"name": "Solver"}, {"installed": True})
    document = told("Install Solver and Plotter.", answer, done, ("install_package", {"name": "Plotter"}, refused))
    assert found(document, "TC216") == expected


@pytest.mark.parametrize(
    ("name", "value", "answer", "expected"),
    [
        ("is_locked", {"locked": False}, "No, the shed is unlocked.", []),
        ("is_vacant", {"vacant": False, "until": "18:00"}, "It's taken until 18:00.", []),
        ("gate_open", {"open": False}, "No, the gate is shut.", []),
        ("gate_open", {"open": False}, "Nein, das Tor ist zu.", []),
        ("is_open", {"open": True, "closes": "20:00"}, "It's closed to dogs, but open until 20:00.", []),
        ("is_open", {"free": False}, "The pool is closed.", []),
        ("open_gate", {"open": False}, "The gate is open now.", ["error"]),
        ("open_gate", {"open": False}, "No problem, the gate is open now.", ["error"]),
    ],
)
def test_who_says_no_tells_what_is_not(name: str, value: Json, answer: str, expected: list[str]) -> None:
    assert found(told("What about the shed and its gate?", answer, (name, {"id": "g-4"}, value)), "TC216") == expected


UNDONE: list[tuple[str, str, tuple[str, Json, Json]]] = [
    (
        "Unlock the shed, please.",
        "Done, go on in!",
        ("door_lock", {"door": "shed", "action": "unlock"}, {"locked": False}),
    ),
    ("Unlock the shed.", "Done, go on in!", ("lock_door", {"door": "shed", "locked": False}, {"locked": False})),
    ("Shut the sluice.", "All done.", ("open_gate_service", {"gate": "sluice", "mode": "close"}, {"opened": False})),
    ("Stop the pump.", "Done.", ("start_or_stop", {"pump": "p2", "action": "stop"}, {"started": False})),
    ("Turn the siren off.", "The siren is now disabled.", ("toggle_siren", {"enable": False}, {"enabled": False})),
]


@pytest.mark.parametrize(("asked", "answer", "made"), UNDONE)
def test_a_flag_that_was_to_be_false_is_a_success(asked: str, answer: str, made: tuple[str, Json, Json]) -> None:
    assert found(told(asked, answer, made), "TC216") == []


def test_a_flag_that_was_to_be_true_is_a_failure() -> None:
    made = ("lock_door", {"door": "shed"}, {"locked": False})
    assert found(told("Lock the shed.", "Done, it's locked!", made), "TC216") != []


def test_a_message_that_cancels_has_cancelled() -> None:
    made = (
        "send_email",
        {"to": "k@example.org", "body": "Leider muss ich den Termin absagen, Gruß"},
        {"status": "sent"},
    )
    assert found(told("Schreib Karl, dass ich nicht kann.", "Ich habe Karl abgesagt.", made), "TC216") == []


def test_the_state_of_what_was_looked_up_is_no_contrary_deed() -> None:
    looked = ("get_hours", {"museum": "Louvre"}, {"museum": "Louvre", "open": False})
    bought = ("buy_tickets", {"museum": "Louvre"}, {"order": "T-1207", "total": 44})
    answer = "The Louvre is closed that day, so your tickets are for Wednesday. That makes 44 in all."
    assert found(told("Two tickets, please.", answer, looked, bought), "TC216") == []
    assert found(told("Two tickets, please.", "Your tickets are canceled, 44 in all.", bought), "TC216") == ["error"]


AnswersUnfinishedJson = Any  # parsed JSON
Call = tuple[str, AnswersUnfinishedJson, AnswersUnfinishedJson]
TEXT = {"type": "string"}
TOOLS = (
    tool("get_weather", "Get the weather.", city=TEXT),
    tool("book_table", "Book a table.", restaurant=TEXT, time=TEXT),
)
WEATHER = ("get_weather", {"city": "Lisbon"}, {"city": "Lisbon", "sky": "sunny", "degrees": 15})
TABLE = ("book_table", {"restaurant": "Luna", "time": "19:00"}, {"restaurant": "Luna", "code": "BK-771", "ok": True})
NOTHING = ("get_weather", {"city": "Lisbon"}, {"days": []})


@each_row(
    ("call", "answer"),
    [
        (WEATHER, "The weather in {city} is {sky}."),
        (WEATHER, "The weather in [City] is sunny, 15 degrees."),
        (WEATHER, "Hello [your name], it's sunny in Lisbon."),
        (WEATHER, "In Lisbon it's <sky> with 15 degrees."),
        (WEATHER, "In Lisbon it's undefined with 15 degrees."),
        (WEATHER, "In Lisbon it's sunny and the"),
        (WEATHER, '{"city": "Lisbon", "sky": "sunny", "degrees": 15}'),
        (WEATHER, "Let me check the weather in Lisbon for you."),
        (WEATHER, "I'll look up the weather in Lisbon right away."),
        (WEATHER, "I'm sorry, but I can't access the weather."),
        (TABLE, "Shall I book the table at Luna for 7 PM?"),
        (TABLE, "Would you like me to book a table there?"),
        (TABLE, "I will now book a table at Luna."),
    ],
)
def test_an_answer_tells_its_results(call: Call, answer: str) -> None:
    document = told("Please see to it: Lisbon, or Luna for 7 PM.", answer, call, tools=TOOLS)
    assert "warning" in found(document, "TC216", generated=False)


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (WEATHER, "It's sunny in Lisbon with 15 degrees [1]."),
        (WEATHER, "It's sunny in Lisbon. [More](https://example.org/lisbon)"),
        (WEATHER, "Let me see: it's sunny in Lisbon."),
        (WEATHER, "It's sunny in Lisbon. Shall I check Porto as well?"),
        (WEATHER, "It's sunny there, 15 degrees, nothing to put a coat on"),
        (NOTHING, "I can't see any weather for Lisbon."),
        (NOTHING, "Let me look again tomorrow: there's nothing."),
        (TABLE, "Booked, the code is BK-771. Shall I book a taxi too?"),
        (TABLE, "Shall I book another table at Luna?"),
    ],
)
def test_what_tells_them_may_offer_more(call: Call, answer: str) -> None:
    document = told("Please see to it: Lisbon, or Luna for 7 PM.", answer, call, tools=TOOLS)
    assert found(document, "TC216", generated=False) == []
