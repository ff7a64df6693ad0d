"""The tools of a job and what is known about them: groups, digests, what is dumped."""

from generator.domains.catalog import Catalog
from generator.domains.domain import Domain
from generator.tools import Tool
from tests.domains_library import tool


def _domain(name: str, origin: str = "written", about: str = "") -> Domain:
    return Domain.model_validate({"domain": 1, "name": name, "origin": origin, "about": about})


def _tool(name: str, toolset: str = "", domain: str = "", source: str = "") -> Tool:
    return tool(name).model_copy(update={"toolset": toolset, "domain": domain, "source": source})


def test_tools_are_grouped_by_the_domain_that_speaks_of_them() -> None:
    catalog = Catalog(
        tools=(_tool("a", domain="x"), _tool("b"), _tool("c", domain="x"), _tool("d", domain="gone")),
        domains=(_domain("x"), _domain("y")),
    )
    assert {name: [each.name for each in tools] for name, tools in catalog.domain_tools.items()} == {
        "x": ["a", "c"], "y": [],
    }  # fmt: skip


def test_tools_are_grouped_by_toolset_in_their_order() -> None:
    catalog = Catalog(tools=(_tool("a", "m"), _tool("b", "n"), _tool("c", "m")))
    assert {name: [each.name for each in tools] for name, tools in catalog.toolsets.items()} == {
        "m": ["a", "c"], "n": ["b"],
    }  # fmt: skip


def test_where_and_in_which_order_tools_were_read_does_not_count() -> None:
    one = Catalog(tools=(_tool("a", source="x.json"), _tool("b")), domains=(_domain("x"), _domain("y")))
    other = Catalog(tools=(_tool("b"), _tool("a", source="y.json")), domains=(_domain("y"), _domain("x")))
    assert one.digest == other.digest


def test_what_is_known_counts() -> None:
    alone = Catalog(tools=(_tool("a", domain="x"),))
    known = Catalog(tools=alone.tools, domains=(_domain("x"),))
    told = Catalog(tools=alone.tools, domains=(_domain("x", about="Pets."),))
    assert len({alone.digest, known.digest, told.digest}) == 3


def test_what_a_model_wrote_is_no_part_of_what_was_given() -> None:
    bare = Catalog(tools=(_tool("a"), _tool("b", domain="own")), domains=(_domain("own"),))
    written = Catalog(
        tools=(_tool("a", domain="new"), _tool("b", domain="own")), domains=(_domain("own"), _domain("new", "model"))
    )
    assert written.digest != bare.digest
    assert written.given_digest == bare.given_digest == bare.digest


def test_tools_that_look_the_same_share_the_first_one() -> None:
    first, second = _tool("a", "m"), _tool("a", "n")
    assert Catalog(tools=(first, second)).by_fingerprint == {first.fingerprint: first}


def test_a_catalog_reads_back_as_it_was_dumped() -> None:
    catalog = Catalog(tools=(_tool("a", "m", "x"),), domains=(_domain("x", about="Pets."),))
    assert Catalog.model_validate(catalog.dump()) == catalog
