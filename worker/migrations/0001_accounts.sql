CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  user_uuid TEXT NOT NULL,
  landing_type TEXT NOT NULL,
  country TEXT NOT NULL,
  language TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE deeplinks (
  code_hash TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;

CREATE INDEX deeplinks_of_account ON deeplinks (account_id, expires_at);
