import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LedgerRow, PersonFacts } from '../../../../worker/console/people-table.ts';
import {
  minorOf,
  paymentsOf,
  remainingOf,
  taxText,
  timelineOf,
} from '../../../../worker/console/rules/person.ts';
import type { Minor, PaymentId } from '../../../../worker/types.ts';

const row = (kind: LedgerRow['kind'], payment: string, amount: number, at: number): LedgerRow => ({
  attempt_id: `of-${payment}`,
  kind,
  amount: amount as Minor,
  tax: null,
  currency: 'USD',
  payment_id: payment as PaymentId,
  gateway: 'stripe',
  occurred_at: at,
});

test('person: a payment shows what was captured and what went back, the newest first', () => {
  const payments = paymentsOf([
    row('capture', 'one', 1000, 1),
    row('refund', 'one', 300, 5),
    row('capture', 'two', 2000, 2),
    row('dispute', 'one', 200, 6),
    row('refund', 'lost', 10, 7),
  ]);
  expect(payments.map(({ id, captured, returned }) => [id, captured, returned])).toEqual([
    ['two', 2000, 0],
    ['one', 1000, 500],
  ]);
  expect(payments.map(remainingOf)).toEqual([2000, 500]);
});

test('person: a payment and its refund say their net and tax where the tax is known', () => {
  const [payment] = paymentsOf([{ ...row('capture', 'one', 3999, 1), tax: 638 as Minor }]);
  const inCents = (minor: number, currency: string) => `${minor} ${currency}`;
  expect(taxText(payment?.captured as Minor, payment?.tax ?? null, 'EUR', inCents)).toBe(
    ' (net 3361 EUR, tax 638 EUR)',
  );
  const [unknown] = paymentsOf([row('capture', 'two', 3999, 1)]);
  expect([unknown?.tax, taxText(3999 as Minor, null, 'EUR', inCents)]).toEqual([null, '']);
});

test('person: a reversed refund can be refunded again, and never more than was captured', () => {
  const [payment] = paymentsOf([
    row('capture', 'one', 1000, 1),
    row('refund', 'one', 1000, 2),
    row('refund', 'one', -1000, 3),
  ]);
  expect(payment && remainingOf(payment)).toBe(1000);
  const [over] = paymentsOf([row('capture', 'one', 10, 1), row('refund', 'one', 11, 2)]);
  expect(over && remainingOf(over)).toBe(0);
});

const facts: PersonFacts = {
  account: {
    email: 'ann@example.com',
    name: '',
    country: 'US',
    language: 'en',
    experiment: null,
    arm: 'fullPrice',
    created_at: 10,
    verified_at: 20,
  },
  attempts: [
    {
      id: 'of-one',
      slot: 'main',
      plan: 'monthly_usd',
      gateway: 'stripe',
      amount: 1000 as Minor,
      coupon: 'SAVE',
      state: 'active',
      decline_code: null,
      opened_at: 30,
      terms: null,
    },
    {
      id: 'other',
      slot: 'main',
      plan: 'quarterly_usd',
      gateway: 'stripe',
      amount: 2000 as Minor,
      coupon: null,
      state: 'declined',
      decline_code: 'insufficient_funds',
      opened_at: 25,
      terms: null,
    },
  ],
  subscriptions: [],
  changes: [
    {
      kind: 'upgrade',
      plan: 'quarterly_usd',
      amount: 500 as Minor,
      currency: 'USD',
      state: 'done',
      payment_id: 'two' as PaymentId,
      opened_at: 45,
    },
    {
      kind: 'pause',
      plan: 'quarterly_usd',
      amount: 0 as Minor,
      currency: 'USD',
      state: 'open',
      payment_id: null,
      opened_at: 46,
    },
  ],
  ledger: [row('capture', 'one', 1000, 31)],
  invitations: [{ created_at: 40 }],
  links: [{ purpose: 'app', created_at: 35, used_at: 36 }],
  audit: [
    {
      operator: 'bob',
      action: 'refund',
      target: 'one',
      reason: 'asked',
      result: 'refunded 1000 USD',
      started_at: 50,
    },
  ],
};

test('person: the timeline has everything in order, the newest first', () => {
  const text = timelineOf(facts, (minor, currency) => `${minor} ${currency}`);
  expect(text).toEqual([
    { at: 50, text: 'bob, refund: refunded 1000 USD. Reason: asked' },
    { at: 46, text: 'Asked to pause quarterly_usd: open' },
    { at: 45, text: 'Asked to upgrade to quarterly_usd for 500 USD: done, two' },
    { at: 40, text: 'Asked somebody' },
    { at: 35, text: 'Got a link (app), used it' },
    { at: 31, text: 'Paid 1000 USD at stripe, one' },
    { at: 30, text: 'Tried to buy monthly_usd for 1000 USD with coupon SAVE at stripe: active' },
    { at: 25, text: 'Tried to buy quarterly_usd at stripe: declined (insufficient_funds)' },
    { at: 20, text: 'Confirmed the mailbox' },
    { at: 10, text: 'Signed up' },
  ]);
});

test('person: a deleted account has its payments only', () => {
  const entries = timelineOf(
    { ...facts, account: null, attempts: [], changes: [], invitations: [], links: [], audit: [] },
    String,
  );
  expect(entries).toHaveLength(1);
});

test.each([
  ['12.50', 2, 1250],
  ['12,5', 2, 1250],
  [' 7 ', 2, 700],
  ['700', 0, 700],
  ['1.234', 3, 1234],
  ['7.5', 0, null],
  ['1.234', 2, null],
  ['0', 2, null],
  ['-1', 2, null],
  ['1e3', 2, null],
  ['', 2, null],
  ['12.', 2, null],
])('person: the amount %j with %d decimals is %s', (text, digits, minor) => {
  expect(minorOf(text, digits)).toBe(minor);
});

test('person: an amount that the page prints is read back', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 99_999_999 }),
      fc.constantFrom(0, 2, 3),
      (minor, digits) => {
        expect(minorOf((minor / 10 ** digits).toFixed(digits), digits)).toBe(minor);
      },
    ),
  );
});
