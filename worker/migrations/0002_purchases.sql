-- A copy for questions across accounts. The account's Durable Object is the only source.
CREATE TABLE purchases (
  attempt TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  slot TEXT NOT NULL,
  plan TEXT NOT NULL,
  arm TEXT NOT NULL,
  state TEXT NOT NULL,
  subscription_id TEXT,
  opened_at INTEGER NOT NULL,
  version INTEGER NOT NULL
);
CREATE INDEX purchases_account ON purchases (account);

CREATE TABLE ledger (
  id TEXT PRIMARY KEY,
  attempt TEXT NOT NULL,
  account TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('capture', 'refund')),
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  payment_id TEXT NOT NULL,
  at INTEGER NOT NULL
);
CREATE INDEX ledger_attempt ON ledger (attempt);
