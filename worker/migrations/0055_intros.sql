-- Who had an intro: a row for the payment method and one for the mailbox, each a keyed hash.
CREATE TABLE intros (
  name TEXT PRIMARY KEY,
  attempt TEXT NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX intros_attempt ON intros (attempt);
