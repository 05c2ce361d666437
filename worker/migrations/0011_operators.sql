-- Ids of the events that gateways told us of, so that none is handed on twice.
CREATE TABLE webhook_events (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  queued_at INTEGER
) STRICT;
CREATE INDEX webhook_events_at ON webhook_events (at);

-- Messages that their queue gave up.
CREATE TABLE dead_letters (
  id TEXT PRIMARY KEY,
  queue TEXT NOT NULL,
  message TEXT NOT NULL,
  body TEXT NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL,
  replay TEXT,
  replayed_at INTEGER
) STRICT;
CREATE INDEX dead_letters_at ON dead_letters (at);

CREATE INDEX ledger_account ON ledger (account);

-- What operators did. Nothing is ever deleted here.
CREATE TABLE audit (
  id TEXT PRIMARY KEY,
  who TEXT NOT NULL,
  what TEXT NOT NULL,
  target TEXT NOT NULL,
  details TEXT NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL,
  result TEXT NOT NULL
) STRICT;
CREATE INDEX audit_target ON audit (target);
CREATE INDEX audit_at ON audit (at);
