-- Each message of the queue once, for as long as it may come again; the trigger counts it.
CREATE TABLE exposure_ids (
  id TEXT PRIMARY KEY,
  experiment TEXT NOT NULL,
  arm TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX exposure_ids_at ON exposure_ids (at);

-- Visitors by experiment, arm and the hour they first saw it, in ms since 1970.
CREATE TABLE exposure_counts (
  experiment TEXT NOT NULL,
  arm TEXT NOT NULL,
  hour INTEGER NOT NULL,
  visitors INTEGER NOT NULL,
  PRIMARY KEY (experiment, arm, hour)
) STRICT;

CREATE TRIGGER exposure_counted AFTER INSERT ON exposure_ids
BEGIN
  INSERT INTO exposure_counts (experiment, arm, hour, visitors)
  VALUES (NEW.experiment, NEW.arm, NEW.at - NEW.at % 3600000, 1)
  ON CONFLICT (experiment, arm, hour) DO UPDATE SET visitors = visitors + 1;
END;

-- Empty for who takes no part in an experiment, and for what was kept before there were any.
ALTER TABLE accounts ADD COLUMN experiment TEXT;
ALTER TABLE accounts ADD COLUMN arm TEXT;
CREATE INDEX accounts_arm ON accounts (experiment, arm);
ALTER TABLE purchases ADD COLUMN experiment TEXT;
CREATE INDEX purchases_arm ON purchases (experiment, arm);
ALTER TABLE ledger ADD COLUMN experiment TEXT;
ALTER TABLE ledger ADD COLUMN arm TEXT;
CREATE INDEX ledger_arm ON ledger (experiment, arm);
