"""What a fleet's database lets happen at once, and what it never does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from psycopg import conninfo

from curator.errors import ConfigError
from curator.fleet import database as fleet_database
from curator.fleet import figures
from curator.fleet.database import Database, DatabaseLost, check, migrate
from curator.fleet.records import Finished, FleetWiki, Lease, Payment, Tenant
from curator.fleet.store import MOST_DEATHS, FleetStore
from support.postgres import Postgres

TEA = FleetWiki("tea", "/srv/tea.git", parallel=10)
DONE = Finished("done", "ingested", "c0ffee")


@pytest.fixture(autouse=True)
def _wiki(store: FleetStore) -> None:
    store.put_wiki(TEA)


def hand_in(store: FleetStore, name: str = "a.md", content: bytes = b"one", wiki: str = "tea", **more: int) -> bool:
    return store.hand_in(wiki, f"sources/{name}", f"digest of {content!r}", content, **more)


def leased(store: FleetStore, worker: str = "w1", wiki: str = "tea") -> Lease:
    lease = store.lease(wiki, worker)
    assert lease is not None
    return lease


def states(store: FleetStore) -> dict[str, str]:
    rows = store.database.all("SELECT path, digest, state FROM fleet_sources ORDER BY id")
    return {f"{row['path']} {row['digest']}": row["state"] for row in rows}


def run_out(store: FleetStore) -> None:
    """As if nobody had renewed a lease for a minute."""
    store.database.all("UPDATE fleet_sources SET lease_until = 'epoch' WHERE state = 'working'")


def test_the_same_bytes_under_the_same_name_count_once(store: FleetStore) -> None:
    assert hand_in(store)
    assert not hand_in(store)
    store.finish(leased(store), DONE)

    assert not hand_in(store)
    assert store.with_work() == {}


def test_bytes_that_come_back_after_others_are_taken_in_again(store: FleetStore) -> None:
    for content in (b"one", b"two", b"one"):
        assert hand_in(store, content=content)
        store.finish(leased(store), DONE)

    assert store.lease("tea", "w1") is None


def test_of_two_that_wait_under_one_name_the_later_counts(store: FleetStore) -> None:
    hand_in(store)
    hand_in(store, content=b"two")

    assert leased(store).digest == "digest of b'two'"
    assert store.lease("tea", "w1") is None


def test_a_newer_one_waits_for_the_one_at_work_under_its_name(store: FleetStore) -> None:
    hand_in(store)
    first = leased(store)
    hand_in(store, content=b"two")

    assert store.lease("tea", "w2") is None
    store.finish(first, DONE)
    assert leased(store, "w2").digest == "digest of b'two'"


def test_no_source_is_two_workers(store: FleetStore) -> None:
    for number in range(6):
        hand_in(store, f"{number}.md")

    found = [leased(store, f"w{number}").path for number in range(6)]

    assert sorted(found) == [f"sources/{number}.md" for number in range(6)]


def test_what_has_priority_goes_first_then_what_came_first(store: FleetStore) -> None:
    hand_in(store, "b.md")
    hand_in(store, "a.md")
    hand_in(store, "urgent.md", priority=5)

    assert [leased(store).path for _ in range(3)] == ["sources/urgent.md", "sources/b.md", "sources/a.md"]


def test_a_lease_that_is_renewed_stays_and_one_that_ran_out_is_another_workers(store: FleetStore) -> None:
    hand_in(store)
    first = leased(store)
    run_out(store)
    store.renew("w1", [first.id])
    assert store.lease("tea", "w2") is None

    run_out(store)
    second = leased(store, "w2")

    assert second.deaths == 1
    assert not store.finish(first, Finished("parked")), "what the first one says counts no more"
    assert store.finish(second, DONE)
    assert list(states(store).values()) == ["done"]


def test_only_what_a_worker_is_at_is_renewed(store: FleetStore) -> None:
    hand_in(store, "lost.md")
    hand_in(store)
    lost, at = leased(store), leased(store)
    run_out(store)

    store.renew("w1", [at.id])

    assert leased(store, "w2").id == lost.id
    assert store.lease("tea", "w2") is None
    run_out(store)
    store.renew("w2", [at.id])
    assert leased(store, "w3").id == lost.id, "what is another's is not renewed"


def test_a_database_that_was_away_takes_no_lease_from_anybody(postgres: Postgres, store: FleetStore) -> None:
    hand_in(store)
    lease = leased(store)
    store.database.all("UPDATE fleet_sources SET lease_until = now()")
    postgres.stop()
    postgres.start()

    assert store.lease("tea", "w2") is None
    assert store.finish(lease, DONE)


def test_deaths_are_counted(store: FleetStore) -> None:
    hand_in(store)
    for _ in range(MOST_DEATHS):
        leased(store)
        run_out(store)

    assert leased(store).deaths == MOST_DEATHS


def test_limits_of_a_wiki_and_of_a_tenant(store: FleetStore) -> None:
    store.put_tenant(Tenant("acme", parallel=3))
    for name in ("coffee", "cocoa"):
        store.put_wiki(FleetWiki(name, f"/srv/{name}.git", tenant="acme", parallel=2))
        for number in range(3):
            hand_in(store, f"{number}.md", wiki=name)

    found = [store.lease(wiki, "w") for wiki in ("coffee", "coffee", "coffee", "cocoa", "cocoa")]

    assert [lease is not None for lease in found] == [True, True, False, True, False]
    assert store.with_work() == {}


@pytest.mark.parametrize("what", ["wiki", "tenant"])
def test_what_is_paused_begins_nothing(store: FleetStore, what: str) -> None:
    hand_in(store)
    if what == "wiki":
        store.put_wiki(replace(TEA, paused=True))
    else:
        store.put_tenant(replace(store.tenant("default"), paused=True))

    assert store.lease("tea", "w1") is None
    assert store.with_work() == {}


@pytest.mark.parametrize("limit", [{"budget": 0.5}, {"token_budget": 1000}])
def test_a_budget_that_is_used_up_lets_nothing_begin(store: FleetStore, limit: dict[str, float]) -> None:
    store.put_tenant(replace(store.tenant("default"), **limit))  # type: ignore[arg-type]
    hand_in(store)
    today = str(store.database.all("SELECT (now() AT TIME ZONE 'utc')::date AS today")[0]["today"])
    paid = Payment("q1", "sources/a.md", today, "openai/x", 600, 0.3)

    store.enter_payments("tea", [paid, replace(paid, tokens=700)])
    assert store.with_work() == {"tea": 1}, "one question counts once, with what it took in the end"
    store.enter_payments("tea", [replace(paid, question="q2")])

    assert store.with_work() == {}
    assert [row["tokens_today"] for row in figures.tenants(store.database)] == [1300]


def test_answers_outlive_their_worker_and_go_when_the_source_is_in(store: FleetStore) -> None:
    hand_in(store)
    first = leased(store)
    store.keep_answer(first.id, "source-1", {"reply": "a zero \0 and half a letter \ud800"})
    run_out(store)
    second = leased(store, "w2")

    assert store.answers(second) == {"source-1": {"reply": "a zero \0 and half a letter \ud800"}}
    store.finish(second, DONE)
    assert store.answers(second) == {}


def test_bytes_are_kept_for_as_long_as_somebody_needs_them(store: FleetStore) -> None:
    store.put_wiki(FleetWiki("coffee", "/srv/coffee.git"))
    hand_in(store)
    hand_in(store, wiki="coffee")
    lease = leased(store)
    store.finish(lease, DONE)
    assert store.content(lease.digest) == b"one"

    other = leased(store, wiki="coffee")
    store.finish(other, Finished("parked", reason="no\0 model"))
    assert store.content(lease.digest) == b"one", "a parked source can be tried again"
    assert store.retry("coffee", None) == 1
    store.finish(leased(store, wiki="coffee"), DONE)

    assert store.content(lease.digest) is None


def test_a_wiki_is_looked_at_by_one_machine_at_a_time(store: FleetStore) -> None:
    assert store.to_look_at(60) == (TEA, "")
    assert store.to_look_at(60) is None
    store.note_head("tea", "abc")
    assert store.to_look_at(0) == (TEA, "abc")


def test_a_wiki_that_is_not_there(store: FleetStore) -> None:
    with pytest.raises(ConfigError, match="no wiki 'te'; did you mean 'tea'"):
        store.wiki("te")


def test_tables_are_made_once_and_a_later_version_is_not_touched(
    postgres: Postgres, store: FleetStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert migrate(store.database) == []
    check(store.database)

    ours = fleet_database._ours()
    with monkeypatch.context() as patched:
        patched.setattr(fleet_database, "_ours", lambda: ours[:-1])
        with pytest.raises(ConfigError, match="later version"):
            check(store.database)
    with pytest.raises(ConfigError, match="has no tables yet"):
        check(Database(conninfo.make_conninfo(store.database.address, options="-csearch_path=pg_temp")))
    store.database.all("DELETE FROM fleet_migrations WHERE name = %(name)s", name=ours[-1].name)
    with pytest.raises(ConfigError, match="earlier version"):
        check(store.database)


def test_a_database_that_is_not_there() -> None:
    with pytest.raises(DatabaseLost) as caught:
        Database("host=/nowhere/at/all dbname=x", patience=0.0).all("SELECT 1")
    assert "CURATOR_FLEET_DATABASE" in caught.value.hint
    with pytest.raises(ConfigError, match="no address"):
        Database("host")
