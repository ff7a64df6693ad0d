"""Submitting a round: each file is handed in once, whatever happens in between, and its batch is noted."""

from __future__ import annotations

from time import time

from generator.backends.batches.opening import open_service
from generator.backends.batches.service import BatchService, RequestLines, hand_in
from generator.batches.folder import BatchFolder, RequestFile, Role, Round
from generator.batches.order import Servers
from generator.errors import UsageError


async def submit(folder: BatchFolder, servers: Servers, clock: float | None = None) -> Round:
    """Hand in every file of the last round that is not handed in yet, and return the round as it is then.

    That a file is about to be handed in is noted before, so that whoever goes on after a kill looks for its batch at
    the server first, and pays for none twice.

    Raises:
        UsageError: no round is written.
        BackendError: the server refuses, or only fails; what was handed in is noted.
    """
    round_ = open_round(folder)
    for role in sorted({file.role for file in round_.files if file.state in ("written", "sending")}):
        async with open_service(servers.of(role)) as service:
            round_ = await _submit_all(folder, round_, role, servers, service, time() if clock is None else clock)
    return round_


def open_round(folder: BatchFolder) -> Round:
    """Return the last round.

    Raises:
        UsageError: none is written.
    """
    round_ = folder.last_round()
    if round_ is None:
        raise UsageError(f"{folder.run.path}: no round is written; `toolgen batch write` writes one")
    return round_


def withdraw(folder: BatchFolder, round_: Round) -> bool:
    """Take a round back of which nothing was handed in yet, and say whether that was so."""
    if any(file.state != "written" or file.refused for file in round_.files):
        return False
    folder.remove(round_)
    return True


async def _submit_all(
    folder: BatchFolder, round_: Round, role: Role, servers: Servers, service: BatchService, now: float
) -> Round:
    for file in round_.files:
        if file.role != role or file.state not in ("written", "sending"):
            continue
        lines = RequestLines(
            folder.file(round_.number, file), file.mark, file.model, file.requests, file.size, file.begun
        )
        begun = file.model_copy(update={"state": "sending", "begun": file.begun or now})
        round_ = _saved(folder, round_, begun)
        batch = await hand_in(service, servers.of(role), lines, _known(folder))
        sent = begun.model_copy(update={"state": "sent", "batch": batch.id, "said": batch.said})
        round_ = _saved(folder, round_, sent)
    return round_


def _known(folder: BatchFolder) -> frozenset[str]:
    """Return the batches that are known to be of other files."""
    files = [file for round_ in folder.rounds() for file in round_.files]
    return frozenset(name for file in files for name in (file.batch, *file.refused) if name)


def _saved(folder: BatchFolder, round_: Round, file: RequestFile) -> Round:
    changed = round_.with_file(file)
    folder.save(changed)
    return changed
