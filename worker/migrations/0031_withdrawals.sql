-- When a yes was taken back: what still waits to be told of that visitor is told to nobody.
ALTER TABLE consents ADD COLUMN withdrawn INTEGER;
-- A visitor's own events, for their copy and their erasure.
CREATE INDEX events_visitor ON events (visitor);
