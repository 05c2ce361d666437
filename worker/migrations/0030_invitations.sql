-- When the account's owner opened a link that we mailed, or a provider vouched for the e-mail.
ALTER TABLE accounts ADD COLUMN verified_at INTEGER;

-- Where an account's invitations are kept: in the object of the person who was asked. Its name is a
-- keyed hash of the number.
CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  person TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX invitations_of_account ON invitations (account_id, at);

-- Which person's page a code opens; the code itself is kept nowhere.
CREATE TABLE invitation_codes (
  code_hash TEXT PRIMARY KEY,
  person TEXT NOT NULL,
  account_id TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX invitation_codes_end ON invitation_codes (expires_at);
CREATE INDEX invitation_codes_of_account ON invitation_codes (account_id);
