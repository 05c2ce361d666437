-- The six digits that were e-mailed to prove a mailbox, as a keyed hash; the latest of an account.
CREATE TABLE mailbox_codes (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  code_hash TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  expires_at INTEGER NOT NULL
) STRICT;
