-- Counts of visitors' actions and of money. Raw events are in R2.
-- Times are in ms since 1970 and name the start of the hour, day or five minutes. No row names a person.

-- What counts can be filtered by. The empty text stands for unknown and for not applicable.
CREATE TABLE slices (
  id INTEGER PRIMARY KEY,
  flow TEXT NOT NULL,
  experiment TEXT NOT NULL,
  variant TEXT NOT NULL,
  country TEXT NOT NULL,
  language TEXT NOT NULL,
  -- `ios`, `android`, `desktop` or `other`.
  device TEXT NOT NULL,
  -- `meta`, `google`, … from a closed list; `other`, or empty for a visit without a campaign.
  source TEXT NOT NULL,
  UNIQUE (flow, experiment, variant, country, language, device, source)
) STRICT;

-- A step is an event of `rules/event-schema.ts`, `exposure` or `sign_up`.
CREATE TABLE hours (
  hour INTEGER NOT NULL,
  step TEXT NOT NULL,
  screen TEXT NOT NULL,
  -- For `button__continue` the bucket of the time on the screen, see `rules/buckets.ts`; else 0.
  bucket INTEGER NOT NULL,
  slice_id INTEGER NOT NULL,
  events INTEGER NOT NULL,
  -- Visits with this step, screen and slice in this hour.
  visits INTEGER NOT NULL,
  PRIMARY KEY (hour, step, screen, bucket, slice_id)
) STRICT, WITHOUT ROWID;

-- The sums of all hours before `compiled.until`, for long ranges.
CREATE TABLE days (
  day INTEGER NOT NULL,
  step TEXT NOT NULL,
  screen TEXT NOT NULL,
  bucket INTEGER NOT NULL,
  slice_id INTEGER NOT NULL,
  events INTEGER NOT NULL,
  visits INTEGER NOT NULL,
  PRIMARY KEY (day, step, screen, bucket, slice_id)
) STRICT, WITHOUT ROWID;

-- The visits of `days` by one dimension alone, for views with at most one filter: few rows, however many
-- slices there are.
CREATE TABLE totals (
  day INTEGER NOT NULL,
  -- A column of `slices`. The values of each dimension add up to all visits.
  dimension TEXT NOT NULL,
  step TEXT NOT NULL,
  screen TEXT NOT NULL,
  bucket INTEGER NOT NULL,
  value TEXT NOT NULL,
  visits INTEGER NOT NULL,
  PRIMARY KEY (day, dimension, step, screen, bucket, value)
) STRICT, WITHOUT ROWID;

CREATE TABLE compiled (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  until INTEGER NOT NULL
) STRICT;
INSERT INTO compiled VALUES (1, 0);

-- Every attempt's steps and every row of the ledger, reported by the accounts' objects.
CREATE TABLE payments (
  hour INTEGER NOT NULL,
  -- An attempt's `attempt`, `challenge`, `challenge_failed`, `declined`, `failed` and `purchase`,
  -- and the ledger's `capture`, `refund` and `dispute`.
  step TEXT NOT NULL,
  provider TEXT NOT NULL,
  slot TEXT NOT NULL,
  plan TEXT NOT NULL,
  currency TEXT NOT NULL,
  -- The provider's decline code; else empty.
  reason TEXT NOT NULL,
  slice_id INTEGER NOT NULL,
  count INTEGER NOT NULL,
  -- Minor units; a reversal is negative.
  amount INTEGER NOT NULL,
  -- For steps of the ledger: the change of the sum over buyers of their squared revenue.
  squares INTEGER NOT NULL,
  PRIMARY KEY (hour, step, provider, slot, plan, currency, reason, slice_id)
) STRICT, WITHOUT ROWID;

-- Steps and payments for alarms, with few enough rows to be read every minute.
CREATE TABLE five_minutes (
  start INTEGER NOT NULL,
  step TEXT NOT NULL,
  -- Set for payments, and for steps that name a provider.
  provider TEXT NOT NULL,
  -- Set for payments; else empty.
  country TEXT NOT NULL,
  -- Build of the Worker that took the event.
  version TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (start, step, provider, country, version)
) STRICT, WITHOUT ROWID;

-- Histograms of web vitals; `rules/buckets.ts` has the limits of b0 to b23.
CREATE TABLE vitals (
  hour INTEGER NOT NULL,
  -- `lcp`, `fcp`, `inp`, `ttfb`, `cls` or `tap_to_screen`.
  metric TEXT NOT NULL,
  screen TEXT NOT NULL,
  device TEXT NOT NULL,
  version TEXT NOT NULL,
  b0 INTEGER NOT NULL, b1 INTEGER NOT NULL, b2 INTEGER NOT NULL, b3 INTEGER NOT NULL,
  b4 INTEGER NOT NULL, b5 INTEGER NOT NULL, b6 INTEGER NOT NULL, b7 INTEGER NOT NULL,
  b8 INTEGER NOT NULL, b9 INTEGER NOT NULL, b10 INTEGER NOT NULL, b11 INTEGER NOT NULL,
  b12 INTEGER NOT NULL, b13 INTEGER NOT NULL, b14 INTEGER NOT NULL, b15 INTEGER NOT NULL,
  b16 INTEGER NOT NULL, b17 INTEGER NOT NULL, b18 INTEGER NOT NULL, b19 INTEGER NOT NULL,
  b20 INTEGER NOT NULL, b21 INTEGER NOT NULL, b22 INTEGER NOT NULL, b23 INTEGER NOT NULL,
  PRIMARY KEY (metric, hour, screen, device, version)
) STRICT, WITHOUT ROWID;

-- The last write of each shard, so that a repeated one changes nothing.
CREATE TABLE progress (
  shard TEXT PRIMARY KEY,
  sequence INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
