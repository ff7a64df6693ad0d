"""Pushing: a folder of data brought to the Hugging Face Hub, or to wherever a URL of fsspec leads.

Whoever reads there sees the data as it was or as it is, never a part: on the hub one commit holds all of it, elsewhere
it lies under a name of its own before the one file that leads to it is replaced.
"""

from __future__ import annotations

from pathlib import Path

from generator.datasets.folder_files import files_of
from generator.datasets.hub import HUB, check_hub, push_to_hub
from generator.datasets.remote import check_remote, push_to_remote


def check_target(target: str) -> None:
    """Refuse a target that nothing could be pushed to; nothing is asked of the network.

    Raises:
        UsageError: it is no target, or what reaches it is not installed, or the hub's token is not set.
    """
    if target.startswith(HUB):
        check_hub(target)
    else:
        check_remote(target)


def push(folder: Path, target: str) -> str:
    """Bring all files of a folder to a target, and return where they lie.

    Args:
        folder: the data; links in it are refused, and so is a run's folder, which holds more than data.
        target: `hf://datasets/OWNER/NAME`, with `@BRANCH` if wanted, or a URL that fsspec knows, as `s3://bucket/x`.

    Raises:
        UsageError: as `check_target` says; or there is nothing to push.
        PushError: the target refused, or could not be reached; what lay there before is as it was.
        StorageError: a file of the folder could not be read.
    """
    check_target(target)
    files = files_of(folder)
    if target.startswith(HUB):
        return push_to_hub(folder.resolve().name, files, target)
    return push_to_remote(files, target)
