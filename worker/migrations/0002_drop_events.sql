-- Events are in R2 and counts in the database `ANALYTICS`.
DROP TABLE IF EXISTS exposure_dedup;
DROP TABLE IF EXISTS exposure_counts;
DROP TABLE IF EXISTS events;
DROP TABLE IF EXISTS event_deliveries;
DROP INDEX IF EXISTS accounts_by_arm;
DROP INDEX IF EXISTS attempts_by_arm;
DROP INDEX IF EXISTS ledger_by_arm;
