-- What is limited for an address, a mailbox or everybody: one row a use, under a keyed hash.
CREATE TABLE rate_counts (
  name TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX rate_counts_of_name ON rate_counts (name, at);
CREATE INDEX rate_counts_at ON rate_counts (at);
