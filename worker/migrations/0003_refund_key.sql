-- Of a refund, the key that it was sent with: `<payment>:<key in the audit>` for a person's, `withdrawal:…` for a
-- buyer's own. NULL for what was made at the provider, and for a void, which has no key there.
ALTER TABLE ledger ADD COLUMN refund_key TEXT;
