import { expect, test } from 'vitest';
import type {
  PersonFacts,
  StoredLedgerRow,
} from '../../../../../worker/console/people/people-table.ts';
import { resultText, timelineOf } from '../../../../../worker/console/people/rules/timeline.ts';
import type { AttemptId, EpochMs, Minor, PaymentId } from '../../../../../worker/platform/types.ts';

const movement = (
  kind: StoredLedgerRow['kind'],
  id: string,
  amount: number,
  at: number,
  refund_key: string | null = null,
): StoredLedgerRow => ({
  id,
  attempt_id: 'of-one' as AttemptId,
  kind,
  amount: amount as Minor,
  tax: null,
  currency: 'USD',
  payment_id: 'one' as PaymentId,
  gateway: 'stripe',
  occurred_at: at as EpochMs,
  refund_key,
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
      id: 'of-one' as AttemptId,
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
      id: 'other' as AttemptId,
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
  ledger: [
    movement('capture', 'capture:one', 1000, 31),
    movement('refund', 'refund:re_1', 250, 51, 'one:k1'),
    movement('refund', 'refund:re_2', 100, 52, 'withdrawal:one'),
    movement('refund', 'refund:re_2#2', -100, 53),
    movement('dispute', 'dispute:dp', 400, 54),
  ],
  disputes: [
    {
      payment_id: 'one' as PaymentId,
      gateway: 'stripe',
      amount: 400 as Minor,
      currency: 'USD',
      reason: 'fraudulent',
      state: 'open',
      opened_at: 55,
      due_at: 70,
      answered_at: null,
      closed_at: null,
    },
    {
      payment_id: 'two' as PaymentId,
      gateway: 'braintree',
      amount: 500 as Minor,
      currency: 'USD',
      reason: '',
      state: 'won',
      opened_at: 56,
      due_at: 71,
      answered_at: 57,
      closed_at: 58,
    },
  ],
  invitations: [{ created_at: 40 }],
  links: [{ purpose: 'app', created_at: 35, used_at: 36 }],
  audit: [
    {
      operator: 'bob',
      action: 'refund',
      target: 'one',
      details: '{"key":"k1"}',
      reason: 'asked.',
      result: 'refunded 250 USD',
      started_at: 50,
    },
    {
      operator: 'bob',
      action: 'refund',
      target: 'one',
      details: '{"key":"k2"}',
      reason: 'too much',
      result: 'refund_too_large',
      started_at: 49,
    },
    {
      operator: 'eve',
      action: 'link',
      target: 'account',
      details: '{}',
      reason: 'lost it',
      result: 'queued',
      started_at: 48,
    },
  ],
};

test('person: the timeline has all events in order, newest first', () => {
  const text = timelineOf(facts, (minor, currency) => `${minor} ${currency}`);
  expect(text).toEqual([
    { at: 70, text: 'Deadline to send Stripe evidence in the dispute of payment one.' },
    {
      at: 58,
      text: 'Won the dispute of payment two at Braintree: we keep 500 USD.',
    },
    { at: 57, text: 'Evidence was sent to Braintree in the dispute of payment two.' },
    { at: 56, text: 'The buyer disputed 500 USD of payment two at Braintree: no reason.' },
    { at: 55, text: 'The buyer disputed 400 USD of payment one at Stripe: fraudulent.' },
    { at: 54, text: 'Lost 400 USD in a dispute of payment one at Stripe.' },
    {
      at: 53,
      text: 'A refund of 100 USD failed; the buyer did not get it. Payment one at Stripe.',
    },
    {
      at: 52,
      text: '100 USD was refunded. The buyer withdrew, by law or under the guarantee. Payment one at Stripe.',
    },
    { at: 51, text: 'bob refunded 250 USD. Reason: asked. Payment one at Stripe.' },
    {
      at: 49,
      text: 'bob tried to refund. This is more than can still be refunded. Reason: too much.',
    },
    { at: 48, text: 'eve resent the app link. Reason: lost it.' },
    { at: 46, text: 'Requested a pause of Quarterly plan: open.' },
    { at: 45, text: 'Requested an upgrade to Quarterly plan for 500 USD: done. Payment two.' },
    { at: 40, text: 'Invited somebody to share their location.' },
    { at: 35, text: 'Received an app link and used it.' },
    { at: 31, text: 'Paid 1000 USD. Payment one at Stripe.' },
    { at: 30, text: 'Bought Monthly plan for 1000 USD with coupon SAVE at Stripe.' },
    {
      at: 25,
      text: 'Tried to buy Quarterly plan for 2000 USD at Stripe: declined (insufficient_funds).',
    },
    { at: 20, text: 'Confirmed the email address.' },
    { at: 10, text: 'Signed up.' },
  ]);
});

test('person: the timeline tells the direction and price of the smallest amount', () => {
  const cent = [movement('refund', 'r', 1, 2), movement('dispute', 'd', 1, 1)];
  const changes = facts.changes.slice(0, 1).map((each) => ({ ...each, amount: 1 as Minor }));
  const none = { account: null, attempts: [], invitations: [], links: [], audit: [], disputes: [] };
  const entries = timelineOf({ ...facts, ...none, changes, ledger: cent }, String);
  expect(entries.map(({ text }) => text)).toEqual([
    expect.stringContaining(' for 1: '),
    expect.stringContaining('1 was refunded.'),
    expect.stringContaining('Lost 1 in a dispute'),
  ]);
});

test('person: a refund of nothing is not shown as a failed one', () => {
  const [entry] = timelineOf({ ...facts, ledger: [movement('refund', 'r', 0, 99)] }, String);
  expect(entry?.text).toMatch(/^0 was refunded\./);
});

test('person: the timeline of a deleted account has payments only', () => {
  const entries = timelineOf(
    { ...facts, account: null, attempts: [], changes: [], invitations: [], links: [], audit: [] },
    String,
  );
  expect(entries).toHaveLength(10);
});

test.each([
  ['refunded 1250 USD', 'refunded 1250 USD!'],
  ['gateway_ambiguous', expect.stringContaining('it may have been done')],
  ['cancellation requested', 'cancellation requested'],
])('timeline: the command result %j is displayed as %s', (result, text) => {
  expect(resultText(result, (minor, currency) => `${minor} ${currency}!`)).toEqual(text);
});
