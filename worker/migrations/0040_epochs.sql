-- What ends all earlier sessions and codes of an account raises its epoch; each of them names the
-- epoch that it was made in.
ALTER TABLE accounts ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE deeplinks ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE hand_codes ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;

-- The Google user who created or verified the account.
ALTER TABLE accounts ADD COLUMN google_sub TEXT;

-- Before this migration a signed-in caller could verify a mailbox without a mail, so no mark is
-- evidence. Owners verify again when they next ask for a position.
UPDATE accounts SET verified_at = NULL;
DELETE FROM deeplinks WHERE opens = 'site';
