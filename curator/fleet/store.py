"""What is in the fleet's database, by what is asked of it; every statement of ours stands here or in ``figures.py``."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeVar

from psycopg.types.json import Jsonb

from curator.errors import ConfigError, meant
from curator.fleet.database import Database
from curator.fleet.records import Finished, FleetWiki, Lease, Payment, Tenant
from curator.system.filenames import printable

LEASE_SECONDS = 60.0
"""A worker that has not renewed its leases for so long is dead; its sources are others' then."""
MOST_DEATHS = 3
"""A source over which so many workers died is parked."""

_Record = TypeVar("_Record", Tenant, FleetWiki)
_ENDS = """(CASE WHEN {0}.lease_until > pg_postmaster_start_time() - interval '10 minutes'
    THEN greatest({0}.lease_until, pg_postmaster_start_time() + interval '1 minute') ELSE {0}.lease_until END)"""
"""When a lease ends. Nobody could renew one while the database was away: all who had one get a minute when it is back."""
_DUE = f"""
    (source.state = 'queued' AND source.next_try <= now()
    OR source.state = 'working' AND {_ENDS.format("source")} < now())
"""
_ALIVE = f"other.state = 'working' AND {_ENDS.format('other')} >= now()"
_WORKING = f"SELECT other.wiki, count(*) AS count FROM fleet_sources other WHERE {_ALIVE} GROUP BY other.wiki"
_PAID = "FROM fleet_payments paid WHERE paid.tenant = tenant.name AND paid.day = (now() AT TIME ZONE 'utc')::date"
_TENANT_MAY = f"""
    NOT tenant.paused
    AND tenant.parallel > (SELECT coalesce(sum(working.count), 0)
        FROM working JOIN fleet_wikis theirs ON theirs.name = working.wiki WHERE theirs.tenant = tenant.name)
    AND (tenant.budget IS NULL OR tenant.budget > (SELECT coalesce(sum(dollars), 0) {_PAID}))
    AND (tenant.token_budget IS NULL OR tenant.token_budget > (SELECT coalesce(sum(tokens), 0) {_PAID}))
"""
"""Beside a relation ``working`` by ``_WORKING``."""
_WIKI_MAY = """
    NOT wiki.paused
    AND wiki.parallel > coalesce((SELECT working.count FROM working WHERE working.wiki = wiki.name), 0)
"""


@dataclass(frozen=True)
class FleetStore:
    """The tenants, wikis and sources of a fleet."""

    database: Database

    # -- tenants and wikis ---------------------------------------------------------------------------------------

    def put_tenant(self, tenant: Tenant) -> None:
        self._put("fleet_tenants", {**asdict(tenant), "keys": Jsonb(dict(tenant.keys))})

    def put_wiki(self, wiki: FleetWiki) -> None:
        """Add a wiki, or change what is known of it. The tenant ``default`` needs no adding."""
        if wiki.tenant == "default":
            self.database.all("INSERT INTO fleet_tenants (name) VALUES ('default') ON CONFLICT DO NOTHING")
        self.tenant(wiki.tenant)
        self._put("fleet_wikis", {**asdict(wiki), "settings": Jsonb(dict(wiki.settings))})

    def tenant(self, name: str) -> Tenant:
        """Raises ConfigError where there is none of this name."""
        return self._named(Tenant, "fleet_tenants", name)

    def wiki(self, name: str) -> FleetWiki:
        """Raises ConfigError where there is none of this name."""
        return self._named(FleetWiki, "fleet_wikis", name)

    # -- sources -------------------------------------------------------------------------------------------------

    def hand_in(self, wiki: str, path: str, digest: str, content: bytes | None, priority: int = 0) -> bool:
        """Queue a source; False when these bytes are the last that came under this name, whatever became of them.

        ``content`` is None for bytes that are committed in the wiki. Other bytes of the same name that wait are superseded.
        """
        with self.database.transaction() as connection:
            connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (f"{wiki} {path}",))
            newest = connection.execute(
                "SELECT digest FROM fleet_sources WHERE wiki = %s AND path = %s ORDER BY arrived DESC, id DESC LIMIT 1",
                (wiki, path),
            ).fetchone()
            if newest is not None and newest["digest"] == digest:
                if content is None:  # it was pushed: a proposal of it waits no more
                    connection.execute(
                        "UPDATE fleet_sources SET code = '' WHERE wiki = %s AND path = %s AND state = 'done'",
                        (wiki, path),
                    )
                return False
            if content is not None:
                connection.execute(
                    "INSERT INTO fleet_contents VALUES (%s, %s) ON CONFLICT DO NOTHING", (digest, content)
                )
            connection.execute(
                "UPDATE fleet_sources SET state = 'superseded', since = now()"
                " WHERE wiki = %s AND path = %s AND state IN ('queued', 'parked')",
                (wiki, path),
            )
            connection.execute(
                "INSERT INTO fleet_sources (wiki, path, digest, priority, arrived)"
                " VALUES (%s, %s, %s, %s, clock_timestamp())"
                " ON CONFLICT (wiki, path, digest) DO UPDATE SET state = 'queued', priority = excluded.priority,"
                " arrived = excluded.arrived, since = now(), next_try = now(), attempts = 0, deaths = 0, reason = '',"
                " code = '', next = '', status = ''",
                (wiki, path, digest, priority),
            )
        return True

    def lease(self, wiki: str, worker: str) -> Lease | None:
        """The next source of ``wiki`` that is due, for ``worker``; None where there is none, or a limit is reached.

        Of two of the same name the earlier one goes first. Whose worker has died comes again; after ``MOST_DEATHS`` of
        them the source is parked.
        """
        with self.database.transaction() as connection:
            may = connection.execute(
                f"WITH working AS MATERIALIZED ({_WORKING}) UPDATE fleet_wikis SET turned = now() WHERE name ="
                " (SELECT wiki.name FROM fleet_wikis wiki JOIN fleet_tenants tenant ON tenant.name = wiki.tenant"
                f" WHERE wiki.name = %s AND {_TENANT_MAY} AND {_WIKI_MAY} FOR UPDATE) RETURNING name",
                (wiki,),
            ).fetchone()
            row = (
                may
                and connection.execute(
                    "UPDATE fleet_sources SET state = 'working', worker = %(worker)s, lease = %(token)s, since = now(),"
                    " lease_until = now() + make_interval(secs => %(seconds)s), attempts = attempts + 1, stage = '',"
                    " deaths = deaths + (state = 'working')::integer"
                    " WHERE id = (SELECT source.id FROM fleet_sources source"
                    f" WHERE source.wiki = %(wiki)s AND {_DUE}"
                    " AND NOT EXISTS (SELECT FROM fleet_sources other WHERE other.wiki = source.wiki"
                    " AND other.path = source.path AND other.id <> source.id AND other.state = 'working')"
                    " ORDER BY source.priority DESC, source.arrived, source.id LIMIT 1 FOR UPDATE SKIP LOCKED)"
                    " RETURNING *",
                    {"wiki": wiki, "worker": worker, "token": secrets.token_hex(8), "seconds": LEASE_SECONDS},
                ).fetchone()
            )
        return Lease.of(row) if row else None

    def renew(self, worker: str, ids: Sequence[int]) -> None:
        """Of these sources, those that are still this worker's stay with it."""
        self.database.all(
            "UPDATE fleet_sources SET lease_until = now() + make_interval(secs => %(seconds)s)"
            " WHERE id = ANY(%(ids)s::bigint[]) AND worker = %(worker)s AND state = 'working'",
            worker=worker,
            ids=list(ids),
            seconds=LEASE_SECONDS,
        )

    def note_stage(self, lease: Lease, stage: str) -> None:
        self.database.all(
            "UPDATE fleet_sources SET stage = %(stage)s WHERE id = %(id)s AND lease = %(token)s",
            stage=stage,
            id=lease.id,
            token=lease.token,
        )

    def finish(self, lease: Lease, became: Finished) -> bool:
        """Write down what became of a source; False, and nothing, when the lease is another's by now.

        What was kept for it goes once it is in: its bytes, where nobody else needs them, and the answers.
        """
        found = self.database.one(
            "UPDATE fleet_sources SET state = %(state)s, status = %(status)s, commit = %(commit)s, code = %(code)s,"
            " reason = %(reason)s, next = %(next)s, next_try = coalesce(%(next_try)s, next_try), since = now(),"
            " lease = NULL, worker = NULL, lease_until = NULL, stage = ''"
            " WHERE id = %(id)s AND lease = %(token)s AND state = 'working' RETURNING id",
            **{name: printable(value) if isinstance(value, str) else value for name, value in asdict(became).items()},
            id=lease.id,
            token=lease.token,
        )
        if found is not None and became.state in ("done", "superseded"):
            self.database.all("DELETE FROM fleet_answers WHERE source = %(id)s", id=lease.id)
            self._drop_content(lease.digest)
        return found is not None

    def retry(self, wiki: str | None, path: str | None) -> int:
        """Queue what is parked, or waits, at once: of one wiki, of one source, or all. Gives how many."""
        rows = self.database.all(
            "UPDATE fleet_sources SET state = 'queued', next_try = now(), deaths = 0, attempts = 0, since = now()"
            " WHERE state IN ('parked', 'queued') AND wiki = coalesce(%(wiki)s, wiki)"
            " AND path = coalesce(%(path)s, path) RETURNING id",
            wiki=wiki,
            path=path,
        )
        return len(rows)

    def content(self, digest: str) -> bytes | None:
        """The bytes of a source that was handed in; None for one that is committed in its wiki."""
        row = self.database.one("SELECT bytes FROM fleet_contents WHERE digest = %(digest)s", digest=digest)
        return bytes(row["bytes"]) if row else None

    def with_work(self, most: int = 200) -> dict[str, int]:
        """The wikis that a worker may go on with, each with how many more sources may be begun; the longest kept first."""
        rows = self.database.all(
            f"WITH working AS MATERIALIZED ({_WORKING}), due AS MATERIALIZED ("
            " SELECT source.wiki, count(*) AS count, max(source.priority) AS urgent FROM fleet_sources source"
            f" WHERE source.state IN ('queued', 'working') AND {_DUE} GROUP BY source.wiki), tenants AS MATERIALIZED ("
            f" SELECT tenant.name FROM fleet_tenants tenant WHERE {_TENANT_MAY})"
            " SELECT wiki.name, least(due.count, wiki.parallel - coalesce(working.count, 0)) AS count"
            " FROM due JOIN fleet_wikis wiki ON wiki.name = due.wiki JOIN tenants ON tenants.name = wiki.tenant"
            " LEFT JOIN working ON working.wiki = wiki.name"
            " WHERE NOT wiki.paused AND wiki.parallel > coalesce(working.count, 0)"
            " ORDER BY due.urgent DESC, wiki.turned, wiki.name LIMIT %(most)s",
            most=most,
        )
        return {row["name"]: row["count"] for row in rows}

    # -- answers and payments ------------------------------------------------------------------------------------

    def keep_answer(self, source: int, key: str, answer: Mapping[str, Any]) -> None:
        """Keep an answer that was paid for, so that no machine asks again, whatever becomes of this one."""
        self.database.all(
            "INSERT INTO fleet_answers SELECT id, %(key)s, %(answer)s FROM fleet_sources"
            " WHERE id = %(source)s AND state IN ('queued', 'working', 'parked')"
            " ON CONFLICT (source, key) DO UPDATE SET answer = excluded.answer",
            source=source,
            key=key,
            answer=json.dumps(answer),  # as ASCII: it may have half a character in it, or a zero
        )

    def answers(self, lease: Lease) -> dict[str, Any]:
        rows = self.database.all("SELECT key, answer FROM fleet_answers WHERE source = %(id)s", id=lease.id)
        return {row["key"]: json.loads(row["answer"]) for row in rows}

    def is_open(self, source: int) -> bool:
        """Whether it is still to be taken in, by whomever."""
        query = "SELECT id FROM fleet_sources WHERE id = %(source)s AND state IN ('queued', 'working', 'parked')"
        return self.database.one(query, source=source) is not None

    def enter_payments(self, wiki: str, payments: Iterable[Payment]) -> None:
        for payment in payments:
            self.database.all(
                "INSERT INTO fleet_payments SELECT %(question)s, wiki.name, %(path)s, wiki.tenant, %(day)s, %(model)s,"
                " %(tokens)s, %(dollars)s FROM fleet_wikis wiki WHERE wiki.name = %(wiki)s"
                " ON CONFLICT (question) DO UPDATE SET tokens = excluded.tokens, dollars = excluded.dollars",
                **asdict(payment),
                wiki=wiki,
            )

    # -- what a push brought -------------------------------------------------------------------------------------

    def to_look_at(self, seconds: float) -> tuple[FleetWiki, str] | None:
        """A wiki whose git server nobody has asked for so long, with the commit that was seen last; it is the caller's."""
        row = self.database.one(
            "UPDATE fleet_wikis SET looked = now() WHERE name = (SELECT name FROM fleet_wikis"
            " WHERE NOT paused AND looked < now() - make_interval(secs => %(seconds)s)"
            " ORDER BY looked LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING *",
            seconds=seconds,
        )
        return (_record(FleetWiki, row), str(row["head"])) if row else None

    def note_head(self, wiki: str, head: str) -> None:
        self.database.all("UPDATE fleet_wikis SET head = %(head)s WHERE name = %(wiki)s", wiki=wiki, head=head)

    # -- small things --------------------------------------------------------------------------------------------

    def _drop_content(self, digest: str) -> None:
        self.database.all(
            "DELETE FROM fleet_contents WHERE digest = %(digest)s AND NOT EXISTS (SELECT FROM fleet_sources"
            " WHERE digest = %(digest)s AND state IN ('queued', 'working', 'parked'))",
            digest=digest,
        )

    def _put(self, table: str, values: Mapping[str, Any]) -> None:
        names = ", ".join(values)
        given = ", ".join(f"%({name})s" for name in values)
        changed = ", ".join(f"{name} = excluded.{name}" for name in values if name != "name")
        self.database.all(
            f"INSERT INTO {table} ({names}) VALUES ({given}) ON CONFLICT (name) DO UPDATE SET {changed}",
            **values,
        )

    def _named(self, kind: type[_Record], table: str, name: str) -> _Record:
        if row := self.database.one(f"SELECT * FROM {table} WHERE name = %(name)s", name=name):
            return _record(kind, row)
        known = [str(row["name"]) for row in self.database.all(f"SELECT name FROM {table} ORDER BY name")]
        what = kind.__name__.removeprefix("Fleet").lower()
        hint = f"known are: {', '.join(known[:20])}" if known else f"curate fleet {what} adds one"
        raise ConfigError(f"fleet_no_{what}", f"the fleet has no {what} {name!r}{meant(name, known)}", hint)


def _record(kind: type[_Record], row: Mapping[str, Any]) -> _Record:
    return kind(**{field.name: row[field.name] for field in fields(kind)})
