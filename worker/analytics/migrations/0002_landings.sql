-- A slice has the visitor's first screen, as it was when the count was stored. Counts from before have an empty
-- landing. SQLite cannot add a column to a unique key, so the table is written again, with the same ids.
-- The landing is descending, so that a build without landings, whose look-up takes the last row, finds the slice
-- with the empty one.
CREATE TABLE slices_with_landing (
  id INTEGER PRIMARY KEY,
  flow TEXT NOT NULL,
  experiment TEXT NOT NULL,
  variant TEXT NOT NULL,
  country TEXT NOT NULL,
  language TEXT NOT NULL,
  device TEXT NOT NULL,
  source TEXT NOT NULL,
  -- A screen, or `direct:` and a screen that was opened by its address.
  landing TEXT NOT NULL DEFAULT '',
  UNIQUE (flow, experiment, variant, country, language, device, source, landing DESC)
) STRICT;
INSERT INTO slices_with_landing
  (id, flow, experiment, variant, country, language, device, source)
  SELECT id, flow, experiment, variant, country, language, device, source FROM slices;
DROP TABLE slices;
ALTER TABLE slices_with_landing RENAME TO slices;
