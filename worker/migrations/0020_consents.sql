-- Choices about cookies, as evidence. A "no" names no visitor.
CREATE TABLE consents (
  id TEXT PRIMARY KEY,
  visitor TEXT,
  choice TEXT NOT NULL,
  version INTEGER NOT NULL,
  country TEXT NOT NULL,
  language TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX consents_visitor ON consents (visitor);
