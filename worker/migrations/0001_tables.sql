-- Times are in ms since 1970, amounts in minor units of their currency.

CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  visitor_id TEXT NOT NULL,
  landing_type TEXT NOT NULL,
  country TEXT NOT NULL,
  language TEXT NOT NULL,
  -- NULL for a visitor who is not assigned.
  experiment TEXT,
  arm TEXT NOT NULL,
  -- Sessions and codes name the epoch they were made in; raising it ends them.
  epoch INTEGER NOT NULL DEFAULT 0,
  -- The Google user who created or verified the account.
  google_sub TEXT,
  created_at INTEGER NOT NULL,
  -- When the mailbox was proven by an e-mailed link or by Google.
  verified_at INTEGER
) STRICT;

-- Codes in links: into the app, to sign in, and to another browser. Only hashes are stored.
CREATE TABLE one_time_codes (
  code_hash TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  purpose TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX one_time_codes_by_account ON one_time_codes (account_id, expires_at);

-- The code that is typed into the app, one per account; derived from the seed and a secret.
CREATE TABLE manual_codes (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  seed TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;

-- Copies of data in the accounts' Durable Objects, which are the only source.
CREATE TABLE attempts (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  slot TEXT NOT NULL,
  plan TEXT NOT NULL,
  gateway TEXT NOT NULL,
  amount INTEGER NOT NULL,
  coupon TEXT,
  experiment TEXT,
  arm TEXT NOT NULL,
  state TEXT NOT NULL,
  -- The provider's code, for a declined attempt.
  decline_code TEXT,
  subscription_id TEXT,
  opened_at INTEGER NOT NULL,
  -- The text beside the button: JSON of `Terms`.
  terms TEXT,
  version INTEGER NOT NULL
) STRICT;
CREATE INDEX attempts_by_account ON attempts (account_id);
-- Coupon usage, for the console.
CREATE INDEX attempts_by_coupon ON attempts (coupon, state) WHERE coupon IS NOT NULL;

CREATE TABLE subscriptions (
  attempt_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  slot TEXT NOT NULL,
  plan TEXT NOT NULL,
  gateway TEXT NOT NULL,
  customer_id TEXT,
  subscription_id TEXT,
  status TEXT NOT NULL,
  paid_until INTEGER,
  cancel_at_period_end INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT;
CREATE INDEX subscriptions_by_account ON subscriptions (account_id);
CREATE INDEX subscriptions_by_customer ON subscriptions (customer_id);
CREATE INDEX subscriptions_by_subscription ON subscriptions (subscription_id);
-- Active subscriptions and their renewals, for the console.
CREATE INDEX subscriptions_by_renewal ON subscriptions (status, slot, cancel_at_period_end, paid_until);

CREATE TABLE ledger (
  id TEXT PRIMARY KEY,
  attempt_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('capture', 'refund', 'dispute')),
  amount INTEGER NOT NULL,
  -- Included in the amount; NULL where it is unknown. The rest is the net.
  tax INTEGER,
  currency TEXT NOT NULL,
  payment_id TEXT NOT NULL,
  gateway TEXT NOT NULL,
  experiment TEXT,
  arm TEXT NOT NULL,
  occurred_at INTEGER NOT NULL,
  -- For a refund, its idempotency key: `<payment>:<key in the audit>` for an operator's, `withdrawal:…` for
  -- a buyer's own. NULL for a refund made at the provider, and for a void, which has no key there.
  refund_key TEXT
) STRICT;
CREATE INDEX ledger_by_account ON ledger (account_id);
CREATE INDEX ledger_by_payment ON ledger (payment_id);
CREATE INDEX ledger_by_time ON ledger (occurred_at, id);

-- The state of each dispute, as read from the providers every ten minutes. Its money is in `ledger`.
CREATE TABLE disputes (
  gateway TEXT NOT NULL,
  id TEXT NOT NULL,
  payment_id TEXT NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  reason TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'answered', 'won', 'lost')),
  opened_at INTEGER NOT NULL,
  -- Deadline for evidence; NULL if none is accepted.
  due_at INTEGER,
  -- When it was first seen as answered.
  answered_at INTEGER,
  closed_at INTEGER,
  PRIMARY KEY (gateway, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX disputes_by_payment ON disputes (payment_id);

-- The account of a customer or payment id at a provider, for accounts outside `DB`; by the hash of the id.
CREATE TABLE payers (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Buyers of intros: a row for the payment method and one for the mailbox, each a keyed hash.
CREATE TABLE intros (
  name_hash TEXT PRIMARY KEY,
  -- Empty for a mailbox that must pay in full.
  attempt_id TEXT NOT NULL,
  reserved_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX intros_by_attempt ON intros (attempt_id);
CREATE INDEX intros_by_time ON intros (reserved_at);

-- Attempts that redeemed a limited coupon; an attempt without a purchase releases its redemption.
CREATE TABLE coupon_redemptions (
  coupon TEXT NOT NULL,
  attempt_id TEXT NOT NULL,
  redeemed_at INTEGER NOT NULL,
  PRIMARY KEY (coupon, attempt_id)
) STRICT, WITHOUT ROWID;

-- Events of payment providers, so that each is queued once.
CREATE TABLE webhook_events (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  claimed_at INTEGER NOT NULL,
  queued_at INTEGER
) STRICT;
CREATE INDEX webhook_events_by_time ON webhook_events (claimed_at);

-- Which ad networks received which purchase, so that a repeated message is reported once.
CREATE TABLE conversions (
  network TEXT NOT NULL,
  event_id TEXT NOT NULL,
  state TEXT NOT NULL,
  reported_at INTEGER NOT NULL,
  PRIMARY KEY (network, event_id)
) STRICT;
CREATE INDEX conversions_by_time ON conversions (reported_at);

-- Choices about cookies, as evidence. A refusal contains no visitor id.
CREATE TABLE consents (
  id TEXT PRIMARY KEY,
  visitor_id TEXT,
  choice TEXT NOT NULL,
  version INTEGER NOT NULL,
  country TEXT NOT NULL,
  language TEXT NOT NULL,
  chosen_at INTEGER NOT NULL,
  -- When consent was withdrawn: undelivered events of that visitor are dropped.
  withdrawn_at INTEGER
) STRICT;
CREATE INDEX consents_by_visitor ON consents (visitor_id);

-- E-mails that were sent or dropped, so that none is sent twice.
CREATE TABLE sent_emails (
  id TEXT PRIMARY KEY,
  sent_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sent_emails_by_time ON sent_emails (sent_at);

-- The invitee's object that stores an account's invitation. The key is a keyed hash of the number.
CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  invitee_key TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX invitations_by_account ON invitations (account_id, created_at);

-- The invitee whose page a code opens. Only the code's hash is stored.
CREATE TABLE invitation_codes (
  code_hash TEXT PRIMARY KEY,
  invitee_key TEXT NOT NULL,
  account_id TEXT NOT NULL,
  -- The browser that made the code, which must not answer for the invitee.
  visitor_id TEXT,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX invitation_codes_by_account ON invitation_codes (account_id);
CREATE INDEX invitation_codes_by_time ON invitation_codes (expires_at);

-- One row per use of something limited, under a keyed hash of an address or a mailbox, or under a common name.
CREATE TABLE rate_counts (
  name TEXT NOT NULL,
  used_at INTEGER NOT NULL
) STRICT;
CREATE INDEX rate_counts_by_name ON rate_counts (name, used_at);
CREATE INDEX rate_counts_by_time ON rate_counts (used_at);

-- Messages that their queue gave up on, and payments that need an operator.
CREATE TABLE dead_letters (
  id TEXT PRIMARY KEY,
  queue TEXT NOT NULL,
  message_id TEXT NOT NULL,
  body TEXT NOT NULL,
  reason TEXT NOT NULL,
  stored_at INTEGER NOT NULL,
  replay_key TEXT,
  replayed_at INTEGER
) STRICT;
CREATE INDEX dead_letters_by_time ON dead_letters (stored_at);

-- Operators' commands. Rows are never deleted.
CREATE TABLE audit (
  id TEXT PRIMARY KEY,
  operator TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  details TEXT NOT NULL,
  reason TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  result TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_time ON audit (started_at);
CREATE INDEX audit_by_target ON audit (target);

-- Versions of config.json and flows.json published in the console: they decide between two editors, and
-- show what is live while KV still serves an old value.
CREATE TABLE config_publications (
  version TEXT PRIMARY KEY,
  -- Fingerprints of the documents that the editor changed, and of the result.
  base TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  published_at INTEGER NOT NULL
) STRICT;
CREATE INDEX config_publications_by_time ON config_publications (published_at);

-- Publications that the cron makes at their time.
CREATE TABLE scheduled_publications (
  id TEXT PRIMARY KEY,
  -- config or content.
  kind TEXT NOT NULL,
  -- Fingerprint of the documents that the editor changed.
  base TEXT NOT NULL,
  -- JSON: texts by file.
  documents TEXT NOT NULL,
  -- JSON: the changes, one line each.
  differences TEXT NOT NULL,
  operator TEXT NOT NULL,
  -- 1 for a person in the console, whose role is checked again then; 0 for a command.
  by_person INTEGER NOT NULL,
  reason TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  -- waiting, published, refused or cancelled, and a description of the result.
  state TEXT NOT NULL,
  note TEXT NOT NULL,
  -- When a cron run claimed it.
  claimed_at INTEGER
) STRICT;
CREATE INDEX scheduled_publications_by_state ON scheduled_publications (state, due_at);
CREATE INDEX scheduled_publications_by_kind ON scheduled_publications (kind, due_at);

-- A provider's fees of a day, from the nightly reconciliation.
CREATE TABLE provider_fees (
  -- UTC, 2026-11-22.
  day TEXT NOT NULL,
  gateway TEXT NOT NULL,
  -- Currency of the provider's balance, which may differ from the buyer's.
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (day, gateway, currency)
) STRICT;

-- Renewals that were not paid when they were due; a copy from the accounts' Durable Objects.
CREATE TABLE failed_renewals (
  attempt_id TEXT NOT NULL,
  -- Of the last paid period.
  period_ended_at INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  gateway TEXT NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  failed_at INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  ended_at INTEGER,
  version INTEGER NOT NULL,
  PRIMARY KEY (attempt_id, period_ended_at)
) STRICT;
CREATE INDEX failed_renewals_by_time ON failed_renewals (failed_at);

-- The copy of what each account may use, written from its Durable Object.
CREATE TABLE entitlements (
  account_id TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  -- JSON of `Entitlement[]`.
  active TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX entitlements_by_time ON entitlements (changed_at, account_id);

-- Receivers of entitlement webhooks that fail; a working one has no row.
CREATE TABLE entitlement_endpoints (
  url TEXT PRIMARY KEY,
  failing_since INTEGER,
  disabled_at INTEGER
) STRICT;

-- Confirmed changes of a plan, pauses and their ends; a copy from the accounts' Durable Objects.
CREATE TABLE plan_changes (
  -- At Braintree also the order id of its charge.
  id TEXT PRIMARY KEY,
  attempt_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- The plan afterwards.
  plan TEXT NOT NULL,
  -- Charged at once, after the credit for unused days was deducted. Minor units.
  amount INTEGER NOT NULL,
  credit INTEGER NOT NULL,
  currency TEXT NOT NULL,
  state TEXT NOT NULL,
  payment_id TEXT,
  takes_effect_at INTEGER NOT NULL,
  -- When a pause ends.
  pauses_until INTEGER,
  opened_at INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT;
CREATE INDEX plan_changes_by_account ON plan_changes (account_id);

-- Translations that a person wrote or confirmed, with the English text that they match.
CREATE TABLE text_confirmations (
  key TEXT NOT NULL,
  language TEXT NOT NULL,
  english TEXT NOT NULL,
  PRIMARY KEY (key, language)
) STRICT, WITHOUT ROWID;
