-- The visitor id of the browser that requested the e-mail, proven by its key. Only there the account takes the browser's id.
ALTER TABLE one_time_codes ADD COLUMN visitor_id TEXT;
