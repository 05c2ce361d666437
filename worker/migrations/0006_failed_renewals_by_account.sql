-- A check of the copy reads all of an account's rows.
CREATE INDEX failed_renewals_by_account ON failed_renewals (account_id);
