"""The options that the llm author needs, shared by the commands that know it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click

from generator.backends.protocols import DEFAULT_PROTOCOL, PROTOCOLS
from generator.cli.option_types import Choice, FilePath
from generator.cli.terminal import tell
from generator.errors import UsageError
from generator.job_choices import ReasoningEffort

if TYPE_CHECKING:
    from generator.authors.llm.session import LLMSession
    from generator.backends.budget import Limits, Price
    from generator.backends.server import ServerOptions
    from generator.job import Job

Command = TypeVar("Command", bound=Callable[..., Any])

_AT_HOME = " or ".join(name for name, known in PROTOCOLS.items() if known.hosts)
_KEY = PROTOCOLS[DEFAULT_PROTOCOL].key_variable
_OTHER_KEYS = " or ".join(known.key_variable for name, known in PROTOCOLS.items() if name != DEFAULT_PROTOCOL)
_MODEL = click.option("--model", metavar="M", help="The model that --author llm asks.")
_WHERE = (
    click.option(
        "--base-url", default="", metavar="URL", help="The model's server.  [default: $OPENAI_BASE_URL, else OpenAI's]"
    ),
    click.option(
        "--api-key-env",
        metavar="NAME",
        help=f"The environment variable with its key; a local server needs none.  [default: {_KEY}; {_OTHER_KEYS} "
        "where it speaks that]",
    ),
)
_TRIES = click.option(
    "--attempts",
    "tries",
    type=click.IntRange(1, 20),
    metavar="N",
    help="Answers the model may need for one step.  [default: 3]",
)
_HELD = (
    click.option("--prompts", type=FilePath(), metavar="DIR", help="Prompts of your own."),
    click.option(
        "--answers",
        type=FilePath(),
        metavar="RUN",
        help="Use the answers of another run's folder wherever they apply.",
    ),
)
_PROTOCOL = click.option(
    "--protocol",
    type=Choice(tuple(PROTOCOLS)),
    help=f"What the server speaks.  [default: {_AT_HOME} at their own hosts, else {DEFAULT_PROTOCOL}]",
)
_WORDING = (
    click.option(
        "--temperature", type=float, metavar="T", help="How freely it chooses words, 0 to 2.  [default: the server's]"
    ),
    click.option(
        "--top-p",
        type=float,
        metavar="P",
        help="Choose among the likeliest words of this share.  [default: the server's]",
    ),
    click.option(
        "--max-output-tokens",
        type=int,
        metavar="N",
        help="The longest answer, thoughts included.  [default: 2048; 16384 for a part of a domain]",
    ),
    click.option(
        "--reasoning-effort",
        type=Choice(get_args(ReasoningEffort)),
        help="How much a model that thinks first shall think.  [default: the server's]",
    ),
    click.option(
        "--extra-body",
        metavar="JSON",
        help="An object that is sent with every request, for options of one server alone; kept in job.json.",
    ),
)
_SPENDING = (
    click.option(
        "--keep-thoughts", is_flag=True, help="Keep what the model thought with its answers; never in the records."
    ),
    click.option(
        "--timeout",
        type=click.FloatRange(0.1, 3600),
        default=120,
        show_default=True,
        metavar="S",
        help="The longest one request may take, in seconds.",
    ),
    click.option(
        "--max-concurrency",
        type=click.IntRange(1, 4096),
        default=64,
        show_default=True,
        metavar="N",
        help="The most requests at a time; how many the server can take is found by trying. Offline waits for none.",
    ),
    click.option("--rpm", type=click.FloatRange(0, min_open=True), metavar="N", help="The most requests a minute."),
    click.option(
        "--tpm",
        type=click.FloatRange(0, min_open=True),
        metavar="N",
        help="The most tokens a minute, of prompts and answers.",
    ),
    click.option(
        "--max-requests", type=click.IntRange(1), metavar="N", help="End this session before it sends more requests."
    ),
    click.option(
        "--max-tokens",
        "max_tokens_spent",
        type=click.IntRange(1),
        metavar="N",
        help="End it before it may spend more tokens, of prompts and answers.",
    ),
    click.option(
        "--max-cost",
        type=click.FloatRange(0, min_open=True),
        metavar="X",
        help="End it before it may cost more, by --price-in and --price-out, or --prices.",
    ),
    click.option(
        "--max-minutes",
        type=click.FloatRange(0, min_open=True),
        metavar="M",
        help="Send nothing after that many minutes.",
    ),
    click.option("--price-in", type=click.FloatRange(0), metavar="P", help="Price of a million tokens of prompts."),
    click.option("--price-out", type=click.FloatRange(0), metavar="P", help="Price of a million tokens of answers."),
    click.option(
        "--prices", type=FilePath(), metavar="FILE", help="A file with both prices of each model, TOML or JSON."
    ),
)
_ASKING = (_PROTOCOL, *_WORDING, *_SPENDING)
JOB_KEYS = ("model", "tries", "temperature", "top_p", "max_output_tokens", "reasoning_effort", "extra_body")
"""Those of them that a job holds, since they decide what is answered."""
_LIMITS = ("max_requests", "max_tokens_spent", "max_cost", "max_minutes", "rpm", "tpm")
_PRICES = ("price_in", "price_out")
_SERVER = ("base_url", "protocol", "api_key_env", "timeout", "max_concurrency")
_NOT_OF_THE_JOB = (*_SERVER, "prompts", "answers", "keep_thoughts", "prices", *_LIMITS, *_PRICES)


def model_options(command: Command) -> Command:
    """Give a command the options of the llm author."""
    return _with(command, (_MODEL, *_WHERE, _TRIES, *_HELD, *_ASKING))


def server_options(command: Command) -> Command:
    """Give a command those of them that no job holds: where the model is asked, what may be spent, what is there."""
    return _with(command, (*_WHERE, *_HELD, _PROTOCOL, *_SPENDING))


def asking_options(command: Command) -> Command:
    """Give a command the options of how any model is asked, but for those that name it, its server and its key."""
    return _with(command, _ASKING)


def _with(command: Command, options: Sequence[Callable[[Command], Command]]) -> Command:
    for option in reversed(options):
        command = option(command)
    return command


def take_model_options(options: dict[str, Any]) -> dict[str, Any]:
    """Take out of the options those that a job does not hold."""
    return {name: options.pop(name) for name in _NOT_OF_THE_JOB}


def complete(
    job: Job, options: dict[str, Any], *, quiet: bool = False, at_once: bool = True
) -> tuple[Job, LLMSession | None]:
    """Complete a job for its author: for llm with its prompts, its server, earlier answers and limits.

    `at_once` says whether the server is asked by this command, so that it needs a key.

    Raises:
        UsageError: a model, key, price or prompt is missing, the URL is none, or a limit has nothing to limit.
    """
    if job.author != "llm":
        _refuse_limits(options)
        return job, None
    from generator.authors.llm.session import prepare_session
    from generator.backends.server import ServerOptions

    server = ServerOptions(
        base_url=options["base_url"],
        protocol=options["protocol"] or "",
        api_key_env=options["api_key_env"] or "",
        timeout=options["timeout"],
        connections=options["max_concurrency"],
    )
    limits, notify = limits_of(options, job.model), (lambda message: None) if quiet else tell_of_waiting
    return prepare_session(
        job,
        server,
        options["prompts"],
        options["answers"],
        limits=limits,
        notify=notify,
        keep_thoughts=options["keep_thoughts"],
        second=_second(server, options),
        at_once=at_once,
    )


def _second(server: ServerOptions, options: dict[str, Any]) -> ServerOptions | None:
    """Return the server of second opinions, where the command names another one."""
    if not options.get("verify_base_url"):
        if options.get("verify_api_key_env"):
            raise UsageError("--verify-api-key-env is the key of another server: give --verify-base-url too")
        return None
    key = options["verify_api_key_env"] or ""
    return replace(server, base_url=options["verify_base_url"], protocol="", api_key_env=key)


def tell_of_waiting(message: str) -> None:
    """Tell what the user waits for while a model is asked."""
    tell(message, err=True)


def _refuse_limits(options: dict[str, Any]) -> None:
    for name in _LIMITS:
        if options[name] is not None:
            option = name.removesuffix("_spent").replace("_", "-")
            raise UsageError(f"--{option} limits what a model is asked: it needs --author llm")


def limits_of(options: dict[str, Any], model: str) -> Limits:
    """Return the limits that the options set, with what this model costs.

    Raises:
        UsageError: one of them is no number, there is no price to limit the cost by, or the file of prices lacks it.
    """
    from generator.backends.budget import Limits

    for name in ("max_cost", "max_minutes", "rpm", "tpm", *_PRICES):
        if options[name] is not None and not isfinite(options[name]):
            raise UsageError(f"--{name.replace('_', '-')} takes a number")
    price = _price(options, model)
    if options["max_cost"] is not None and (price is None or not price.prompt + price.completion):
        raise UsageError("--max-cost needs --price-in and --price-out, or --prices: what a million tokens cost")
    return Limits(
        requests=options["max_requests"],
        tokens=options["max_tokens_spent"],
        cost=options["max_cost"],
        minutes=options["max_minutes"],
        rpm=options["rpm"],
        tpm=options["tpm"],
        price=price,
    )


def _price(options: dict[str, Any], model: str) -> Price | None:
    """Return what the model costs: by the options, else by the file of prices; None where nobody says."""
    from generator.backends.budget import Price, read_price

    given = [options[name] for name in _PRICES]
    if any(price is not None for price in given):
        return Price(*(price or 0.0 for price in given))
    return None if options["prices"] is None or not model else read_price(options["prices"], model)
