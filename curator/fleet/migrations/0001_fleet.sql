-- Tenants, wikis, the sources that were handed in, their bytes until they are in, and the answers that were paid for.

CREATE TABLE fleet_tenants (
    name text PRIMARY KEY,
    parallel integer NOT NULL DEFAULT 16 CHECK (parallel > 0),
    budget double precision CHECK (budget >= 0),
    token_budget bigint CHECK (token_budget >= 0),
    keys jsonb NOT NULL DEFAULT '{}',
    paused boolean NOT NULL DEFAULT false
);

CREATE TABLE fleet_wikis (
    name text PRIMARY KEY,
    tenant text NOT NULL REFERENCES fleet_tenants,
    url text NOT NULL,
    branch text NOT NULL,
    settings jsonb NOT NULL DEFAULT '{}',
    parallel integer NOT NULL DEFAULT 2 CHECK (parallel > 0),
    paused boolean NOT NULL DEFAULT false,
    head text NOT NULL DEFAULT '',
    looked timestamptz NOT NULL DEFAULT 'epoch',
    turned timestamptz NOT NULL DEFAULT 'epoch'
);

CREATE TABLE fleet_contents (
    digest text PRIMARY KEY,
    bytes bytea NOT NULL
);

CREATE TABLE fleet_sources (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    wiki text NOT NULL REFERENCES fleet_wikis,
    path text NOT NULL,
    digest text NOT NULL,
    state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'working', 'done', 'parked', 'superseded')),
    priority integer NOT NULL DEFAULT 0,
    arrived timestamptz NOT NULL DEFAULT now(),
    since timestamptz NOT NULL DEFAULT now(),
    next_try timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    deaths integer NOT NULL DEFAULT 0,
    lease text,
    worker text,
    lease_until timestamptz,
    stage text NOT NULL DEFAULT '',
    status text NOT NULL DEFAULT '',
    commit text NOT NULL DEFAULT '',
    code text NOT NULL DEFAULT '',
    reason text NOT NULL DEFAULT '',
    next text NOT NULL DEFAULT '',
    UNIQUE (wiki, path, digest)
);

CREATE INDEX fleet_sources_open ON fleet_sources (wiki, priority DESC, id) WHERE state IN ('queued', 'working');
CREATE INDEX fleet_sources_worker ON fleet_sources (worker, wiki) WHERE state = 'working';
CREATE INDEX fleet_sources_digest ON fleet_sources (digest) WHERE state IN ('queued', 'working');

CREATE TABLE fleet_answers (
    source bigint NOT NULL REFERENCES fleet_sources,
    key text NOT NULL,
    answer text NOT NULL,
    PRIMARY KEY (source, key)
);

CREATE TABLE fleet_payments (
    question text PRIMARY KEY,
    wiki text NOT NULL REFERENCES fleet_wikis,
    path text NOT NULL,
    tenant text NOT NULL REFERENCES fleet_tenants,
    day date NOT NULL,
    model text NOT NULL,
    tokens bigint NOT NULL,
    dollars double precision
);

CREATE INDEX fleet_payments_day ON fleet_payments (tenant, day) INCLUDE (tokens, dollars);
