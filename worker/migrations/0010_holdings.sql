-- What every active attempt bought, as its gateway last told it. A copy, like `purchases`.
CREATE TABLE holdings (
  attempt TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  slot TEXT NOT NULL,
  plan TEXT NOT NULL,
  gateway TEXT NOT NULL,
  customer_id TEXT,
  subscription_id TEXT,
  status TEXT NOT NULL,
  paid_until INTEGER,
  ends INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT;
CREATE INDEX holdings_account ON holdings (account);
CREATE INDEX holdings_customer ON holdings (customer_id);
CREATE INDEX holdings_subscription ON holdings (subscription_id);

-- SQLite cannot widen a check; what was captured before any gateway but Stripe existed is Stripe's.
CREATE TABLE money (
  id TEXT PRIMARY KEY,
  attempt TEXT NOT NULL,
  account TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('capture', 'refund', 'dispute')),
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  payment_id TEXT NOT NULL,
  gateway TEXT NOT NULL,
  experiment TEXT,
  arm TEXT,
  at INTEGER NOT NULL
) STRICT;
INSERT INTO money
  SELECT id, attempt, account, kind, amount, currency, payment_id, 'stripe', experiment, arm, at
  FROM ledger;
DROP TABLE ledger;
ALTER TABLE money RENAME TO ledger;
CREATE INDEX ledger_attempt ON ledger (attempt);
CREATE INDEX ledger_payment ON ledger (payment_id);
CREATE INDEX ledger_arm ON ledger (experiment, arm);

ALTER TABLE purchases ADD COLUMN gateway TEXT;
ALTER TABLE purchases ADD COLUMN coupon TEXT;
ALTER TABLE purchases ADD COLUMN amount INTEGER;
