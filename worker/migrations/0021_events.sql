-- What visitors did, each event once. Swept after 90 days.
CREATE TABLE events (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  at INTEGER NOT NULL,
  visitor TEXT NOT NULL,
  session TEXT NOT NULL,
  screen TEXT NOT NULL,
  flow TEXT NOT NULL,
  arm TEXT NOT NULL,
  country TEXT NOT NULL,
  language TEXT NOT NULL,
  consent TEXT NOT NULL,
  properties TEXT NOT NULL
) STRICT;
CREATE INDEX events_at ON events (at);

-- Which event reached which sink, so that a repeated message is told once.
CREATE TABLE event_deliveries (
  sink TEXT NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (sink, id)
) STRICT;
CREATE INDEX events_told_at ON event_deliveries (at);
