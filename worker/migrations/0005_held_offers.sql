-- When the account first opened a page that holds a price for a time; ms since 1970.
ALTER TABLE accounts ADD COLUMN offer_started_at INTEGER;
