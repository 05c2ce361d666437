-- What a code opens: the app, or this site for who comes back by mail.
ALTER TABLE deeplinks ADD COLUMN opens TEXT NOT NULL DEFAULT 'app';

-- The code that is typed by hand, one an account. It is made of the seed and a secret of the Worker.
CREATE TABLE hand_codes (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  seed TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER,
  tries INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Ids of mails that are done, so that none goes out twice.
CREATE TABLE mails (
  id TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX mails_at ON mails (at);
