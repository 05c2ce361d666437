-- Which ad network has been told of which purchase, so that a repeated message is told once.
CREATE TABLE conversions (
  network TEXT NOT NULL,
  event TEXT NOT NULL,
  state TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (network, event)
) STRICT;
CREATE INDEX conversions_at ON conversions (at);
