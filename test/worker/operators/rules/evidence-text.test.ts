import { expect, test } from 'vitest';
import { type Evidence, evidenceText } from '../../../../worker/operators/rules/evidence-text.ts';
import {
  type AccountId,
  type AttemptId,
  epochMs,
  minor,
  paymentIdOf,
} from '../../../../worker/platform/types.ts';

const at = (text: string) => epochMs(Date.parse(text));

const evidence: Evidence = {
  gateway: 'stripe',
  status: 'active',
  paidUntil: at('2026-12-21T10:00:00.123Z'),
  withdrawnAt: null,
  payment: paymentIdOf('pi_1'),
  account: 'account-1' as AccountId,
  attempt: 'attempt-1' as AttemptId,
  buyer: {
    email: 'eve@example.com',
    name: 'Eve',
    country: 'DE',
    language: 'de',
    createdAt: at('2026-11-21T09:00:00Z'),
    verifiedAt: null,
  },
  product: 'Monthly plan',
  plan: 'monthly_eur',
  currency: 'EUR',
  terms: {
    version: null,
    text: 'First line\nSecond line',
    language: 'de',
    market: 'euro',
    timeZone: 'Europe/Berlin',
    at: at('2026-11-21T10:00:00Z'),
  },
  cancelledAt: null,
  payments: [
    {
      kind: 'capture',
      amount: minor(3999),
      at: at('2026-11-21T10:00:05Z'),
      paymentId: paymentIdOf('pi_1'),
    },
  ],
  access: [{ what: 'link used: app', at: at('2026-11-21T11:00:00Z') }],
  emails: [{ what: 'purchase_confirmation', at: at('2026-11-21T10:00:09Z') }],
};

const textOf = (more: Partial<Evidence> = {}) =>
  evidenceText({ ...evidence, ...more }, (amount, currency) => `${amount / 100} ${currency}`);

test('dispute evidence: a file names each fact with its time in whole seconds', () => {
  expect(textOf()).toBe(`Payment pi_1 at stripe
  Product: Monthly plan (monthly_eur)
  Order: attempt-1
  Subscription: active, paid until 2026-12-21T10:00:00Z
  Cancelled: no
  Withdrawn: no

Customer
  Account: account-1
  Name and e-mail: Eve <eve@example.com>
  Country and language: DE, de
  Account created: 2026-11-21T09:00:00Z
  E-mail address verified: no

Words beside the button, accepted by pressing it
  2026-11-21T10:00:00Z, de, market euro, time zone Europe/Berlin
  First line
  Second line

Money of this order
  2026-11-21T10:00:05Z  capture 39.99 EUR  pi_1

Access and use
  2026-11-21T11:00:00Z  link used: app

E-mails sent
  2026-11-21T10:00:09Z  purchase_confirmation

`);
});

test('dispute evidence: a file says what is unknown, deleted or not recorded', () => {
  const bare = { buyer: null, terms: null, access: [], emails: [], paidUntil: null };
  const lines = textOf({ ...bare, cancelledAt: at('2026-11-22T10:00:00Z') }).split('\n');
  for (const line of [
    'Subscription: active, paid until for good',
    'Cancelled: 2026-11-22T10:00:00Z',
    'The account was deleted at its owner’s request.',
    'Not recorded for this purchase.',
    'None is recorded; codes are kept for a week.',
    'None is recorded; they are kept for 90 days.',
  ])
    expect(lines).toContain(`  ${line}`);
});
