"""A data set on the Hugging Face Hub: all files in one commit, so that nobody reads a half of it.

What is no longer in the folder is removed in the same commit. A data set that is not there is made, for its owner's
eyes alone; a card is written where there is none.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from generator.datasets.card import card_of_files
from generator.datasets.folder_files import FolderFile
from generator.errors import PushError, UsageError
from generator.extras import missing

if TYPE_CHECKING:
    from huggingface_hub import HfApi

_Answer = TypeVar("_Answer")

HUB = "hf://"
TOKEN = "HF_TOKEN"  # noqa: S105 - the name of the variable that holds it
_ENDPOINT = "HF_ENDPOINT"
_TARGET = re.compile(r"hf://datasets/([\w.-]+/[\w.-]+)(?:@([\w./-]+))?/?")
_CARD = "README.md"
_FIRST_BRANCH = "main"
_NOT_OURS = {".gitattributes"}
"""What the hub keeps for itself."""
_TRIES = 4
_LONGEST_WAIT = 60
_PASSING = {408, 429, 500, 502, 503, 504}
_REMEDIES = {
    401: f"the token in {TOKEN} is none that it knows",
    403: f"the token in {TOKEN} may not write there",
    404: f"there is no such data set or branch, or the token in {TOKEN} may not see it",
    429: "it asks to wait; push again later",
}


@dataclass(frozen=True, slots=True)
class _Place:
    """A data set, and the branch of it."""

    name: str
    branch: str


def check_hub(target: str) -> None:
    """Refuse what names no data set, and where the package or the token is missing.

    Raises:
        UsageError: so it is.
    """
    _place(target)
    try:
        import huggingface_hub  # noqa: F401 - the question is whether it is there
    except ImportError as error:
        raise missing(f"{target}: needs", "huggingface_hub", "hf") from error
    if not os.environ.get(TOKEN):
        raise UsageError(f"{target}: set {TOKEN} to a token that may write there; it is read from nowhere else")


def _place(target: str) -> _Place:
    found = _TARGET.fullmatch(target)
    if found is None:
        raise UsageError(f"{target}: names no data set; give hf://datasets/OWNER/NAME, with @BRANCH if wanted")
    return _Place(found[1], found[2] or _FIRST_BRANCH)


def push_to_hub(title: str, files: Sequence[FolderFile], target: str) -> str:
    """Make the files the data set that the target names, in one commit, and return the commit's URL.

    Args:
        title: what a card is headed with, where one has to be written.
        files: the files of the data set.
        target: `hf://datasets/OWNER/NAME`, with `@BRANCH` if wanted.

    Raises:
        PushError: the hub refused, failed again and again, or could not be reached; nothing was changed.
    """
    from huggingface_hub import HfApi

    place = _place(target)
    api = HfApi(endpoint=os.environ.get(_ENDPOINT) or None, token=os.environ[TOKEN])
    with _hub_errors(target):
        # Together, since what is there may have changed: a commit may count of which nothing was heard.
        return _patiently(lambda: _commit(api, place, title, files, _names_there(api, place)))


def _names_there(api: HfApi, place: _Place) -> list[str]:
    """Return the names of the files in the data set, which is made where it is not there, and so is its branch."""
    api.create_repo(place.name, repo_type="dataset", private=True, exist_ok=True)
    if place.branch != _FIRST_BRANCH:
        api.create_branch(place.name, branch=place.branch, repo_type="dataset", exist_ok=True)
    found = api.dataset_info(place.name, revision=place.branch)
    return [each.rfilename for each in found.siblings or ()]


def _commit(api: HfApi, place: _Place, title: str, files: Sequence[FolderFile], there: Sequence[str]) -> str:
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete

    operations: list[Any] = [CommitOperationAdd(file.name, file.path) for file in files]
    named = {file.name for file in files}
    if _CARD not in named and _CARD not in there:
        operations.append(CommitOperationAdd(_CARD, card_of_files(title, sorted(named)).encode()))
    gone = set(there) - named - _NOT_OURS - {_CARD}
    operations += [CommitOperationDelete(name) for name in sorted(gone)]
    message = f"{len(files):,} files of {title}"
    done = api.create_commit(place.name, operations, commit_message=message, repo_type="dataset", revision=place.branch)
    return str(done.commit_url)


def _patiently(ask: Callable[[], _Answer]) -> _Answer:
    """Ask the hub, again where it fails for the moment."""
    from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_exponential_jitter

    waits = wait_exponential_jitter(initial=1, max=_LONGEST_WAIT)
    again = Retrying(stop=stop_after_attempt(_TRIES), wait=waits, retry=retry_if_exception(_is_passing), reraise=True)
    return again(ask)


def _status(error: BaseException) -> int | None:
    """Return the status of an answer; None where there was no answer."""
    found = getattr(getattr(error, "response", None), "status_code", None)
    return found if isinstance(found, int) else None


def _is_passing(error: BaseException) -> bool:
    """Say whether asking again may help: an answer says so, or none came."""
    from huggingface_hub.errors import HTTPError  # type: ignore[attr-defined]  # of whichever client it uses

    status = _status(error)
    return status in _PASSING if status is not None else isinstance(error, HTTPError | ConnectionError | TimeoutError)


@contextmanager
def _hub_errors(target: str) -> Iterator[None]:
    from huggingface_hub.errors import HTTPError  # type: ignore[attr-defined]  # of whichever client it uses

    try:
        yield
    except (HTTPError, OSError) as error:
        status = _status(error)
        if status is None:
            raise PushError(f"{target}: the hub cannot be reached: {error}; push again") from error
        remedy = _REMEDIES.get(status) or " ".join(str(error).split())[:300]
        raise PushError(f"{target}: the hub answers {status}: {remedy}; nothing was changed") from error
