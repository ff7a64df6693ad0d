"""What is worked on: a job in its folder with its session, and the servers that its batches go to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from generator.authors.llm.session import LLMSession
from generator.backends.backend import RequestRefused
from generator.backends.budget import Price
from generator.backends.protocols.protocol import ServerProtocol
from generator.backends.server import ServerOptions, protocol_of
from generator.batches.folder import BatchFolder, BatchSettings, Role, ServerSettings
from generator.domains.catalog import Catalog
from generator.errors import UsageError
from generator.job import Job
from generator.runs.folder import RunFolder
from generator.runs.made import Examined
from generator.runs.progress import OnProgress

_FORM = 400
_PUBLIC = frozenset({"api-version"})


@dataclass(frozen=True, slots=True)
class Order:
    """A job with a model whose answers come in batches."""

    job: Job
    catalog: Catalog
    out: Path
    session: LLMSession
    prompts: Path | None = None
    price: Price | None = None
    """What a million tokens cost where they are asked at once; the session counts with half of it."""
    file_requests: int | None = None
    """The most requests of one file, where that is fewer than the server takes."""
    examined: Examined = field(default_factory=Examined)
    """What this process has examined of the run's records: each round looks at no more than is new."""
    told: Callable[[str], None] = lambda message: None
    on_progress: OnProgress = field(default=lambda progress: None)

    @property
    def folder(self) -> BatchFolder:
        """Where the batches lie."""
        return BatchFolder(RunFolder(self.out))

    @property
    def servers(self) -> Servers:
        """Where the batches go."""
        return Servers(self.session.server, self.session.second)

    def settings(self) -> BatchSettings:
        """Return what the commands share: what this one was told, and what was learned before."""
        known, price = self.folder.settings(), self.price
        told = BatchSettings(
            author=_settings_of(self.session.server),
            opinion=None if self.session.second is None else _settings_of(self.session.second),
            prompts="" if self.prompts is None else str(self.prompts.absolute()),
            keep_thoughts=self.session.keep_thoughts,
            price=None if price is None else (price.prompt, price.completion),
        )
        if known is None:
            return told
        return told.model_copy(update={"served": known.served, "reworded": known.reworded})


@dataclass(frozen=True, slots=True)
class Servers:
    """The servers of a run by what they are asked for."""

    author: ServerOptions
    second: ServerOptions | None = None

    def of(self, role: Role) -> ServerOptions:
        """Return the server that is asked in a role."""
        return self.second if role == "opinion" and self.second is not None else self.author

    def role(self, server: ServerOptions) -> Role:
        """Return the role in which a server is asked."""
        return "opinion" if server == self.second else "author"

    def protocol(self, role: Role, settings: BatchSettings) -> ServerProtocol:
        """Return the protocol of a role, which words things as its server has asked for."""
        protocol = protocol_of(self.of(role))
        if said := settings.reworded.get(role):
            words: dict[str, object] = dict.fromkeys(protocol.options, "")
            protocol.reword(RequestRefused(_FORM, said), words)
        return protocol


def _settings_of(server: ServerOptions) -> ServerSettings:
    address = server.address
    withheld = bool(address.userinfo) or any(name not in _PUBLIC for name in address.query)
    return ServerSettings(
        base_url="" if withheld else server.url,
        withheld=withheld,
        protocol=server.speaks,
        api_key_env=server.api_key_env if not server.api_key_env or server.key_variable == server.api_key_env else "",
        timeout=server.timeout,
    )


def server_of(settings: ServerSettings, given: ServerOptions) -> ServerOptions:
    """Return a server as it was told before, but for what is given now.

    Raises:
        UsageError: its URL was not kept, and is not given.
    """
    if settings.withheld and not given.base_url:
        raise UsageError(
            "the base URL of this run holds what may be secret, and is kept nowhere: give --base-url again"
        )
    return replace(
        given,
        base_url=given.base_url or settings.base_url,
        protocol=given.protocol or settings.protocol,
        api_key_env=given.api_key_env or settings.api_key_env,
    )
