"""The options that the llm author needs, shared by the commands that know it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from generator.cli.choices import FilePath
from generator.job import Job

if TYPE_CHECKING:  # imported where it is used, so that an offline run does without jinja2 and openai
    from generator.live import Live

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--model", metavar="M", help="The model that --author llm asks."),
    click.option(
        "--base-url", default="", metavar="URL", help="Its server.  [default: $OPENAI_BASE_URL, else OpenAI's]"
    ),
    click.option(
        "--api-key-env",
        default="OPENAI_API_KEY",
        show_default=True,
        metavar="NAME",
        help="The environment variable with its key; a local server needs none.",
    ),
    click.option(
        "--attempts",
        "tries",
        type=click.IntRange(1, 20),
        metavar="N",
        help="Answers the model may need for one step.  [default: 3]",
    ),
    click.option("--prompts", type=FilePath(), metavar="DIR", help="Prompts of your own."),
    click.option(
        "--timeout",
        type=click.FloatRange(0.1, 3600),
        default=120,
        show_default=True,
        metavar="S",
        help="The longest one request may take, in seconds.",
    ),
    click.option(
        "--concurrency",
        type=click.IntRange(1, 4096),
        default=16,
        show_default=True,
        metavar="N",
        help="Calls in flight, for authors that wait for a server; offline waits for none.",
    ),
    click.option(
        "--answers",
        type=FilePath(),
        metavar="RUN",
        help="Use the answers of another run's folder wherever they apply.",
    ),
)
_NOT_OF_THE_JOB = ("base_url", "api_key_env", "timeout", "concurrency", "prompts", "answers")


def model_options(command: Command) -> Command:
    """Give a command the options of the llm author."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def take_model_options(options: dict[str, Any]) -> dict[str, Any]:
    """Take out of the options those that a job does not hold."""
    return {name: options.pop(name) for name in _NOT_OF_THE_JOB}


def complete(job: Job, options: dict[str, Any]) -> tuple[Job, Live | None]:
    """Complete a job for its author: for llm with its prompts, its server and earlier answers.

    Raises:
        UsageError: a model, key or prompt is missing, or the URL is none.
    """
    if job.author != "llm":
        return job, None
    from generator.backends.server import ServerOptions
    from generator.live import go_live

    server = ServerOptions(
        base_url=options["base_url"],
        api_key_env=options["api_key_env"],
        timeout=options["timeout"],
        connections=options["concurrency"],
    )
    return go_live(job, server, options["prompts"], options["answers"])
