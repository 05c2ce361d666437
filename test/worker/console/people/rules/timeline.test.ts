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

type Fact<K extends 'attempts' | 'changes' | 'disputes' | 'audit'> = PersonFacts[K][number];

const attempt = (more: Partial<Fact<'attempts'>>): Fact<'attempts'> => ({
  id: 'of-one' as AttemptId,
  slot: 'main',
  plan: 'monthly_usd',
  gateway: 'stripe',
  amount: 1000 as Minor,
  coupon: null,
  state: 'active',
  decline_code: null,
  opened_at: 30,
  terms: null,
  ...more,
});

const change = (kind: string, amount: number, more: Partial<Fact<'changes'>>) =>
  ({ kind, plan: 'quarterly_usd', amount, currency: 'USD', ...more }) as Fact<'changes'>;

const dispute = (payment: string, amount: number, more: Partial<Fact<'disputes'>>) =>
  ({ payment_id: payment, amount, currency: 'USD', ...more }) as Fact<'disputes'>;

const command = (
  [operator = '', action = '', target = '']: string[],
  details: string,
  reason: string,
  result: string,
  started_at: number,
): Fact<'audit'> => ({ operator, action, target, details, reason, result, started_at });

const refund = ['bob', 'refund', 'one'];

const facts: PersonFacts = {
  account: {
    ...{ email: 'ann@example.com', name: '', country: 'US', language: 'en', experiment: null },
    ...{ arm: 'fullPrice', arms: '', created_at: 10, verified_at: 20 },
  },
  attempts: [
    attempt({ coupon: 'SAVE' }),
    attempt({
      ...{ id: 'other' as AttemptId, plan: 'quarterly_usd', amount: 2000 as Minor },
      ...{ state: 'declined', decline_code: 'insufficient_funds', opened_at: 25 },
    }),
  ],
  subscriptions: [],
  changes: [
    change('upgrade', 500, { state: 'done', payment_id: 'two' as PaymentId, opened_at: 45 }),
    change('pause', 0, { state: 'open', payment_id: null, opened_at: 46 }),
  ],
  ledger: [
    movement('capture', 'capture:one', 1000, 31),
    movement('refund', 'refund:re_1', 250, 51, 'one:k1'),
    movement('refund', 'refund:re_2', 100, 52, 'withdrawal:one'),
    movement('refund', 'refund:re_2#2', -100, 53),
    movement('dispute', 'dispute:dp', 400, 54),
  ],
  disputes: [
    dispute('one', 400, {
      ...{ gateway: 'stripe', reason: 'fraudulent', state: 'open' },
      ...{ opened_at: 55, due_at: 70, answered_at: null, closed_at: null },
    }),
    dispute('two', 500, {
      ...{ gateway: 'braintree', reason: '', state: 'won' },
      ...{ opened_at: 56, due_at: 71, answered_at: 57, closed_at: 58 },
    }),
  ],
  invitations: [{ created_at: 40 }],
  links: [{ purpose: 'app', created_at: 35, used_at: 36 }],
  audit: [
    command(refund, '{"key":"k1"}', 'asked.', 'refunded 250 USD', 50),
    command(refund, '{"key":"k2"}', 'too much', 'refund_too_large', 49),
    command(['eve', 'link', 'account'], '{}', 'lost it', 'queued', 48),
  ],
};

test('person: the timeline has all events in order, newest first', () => {
  const entries = timelineOf(facts, (minor, currency) => `${minor} ${currency}`);
  expect(entries.map(({ at, text }) => `${at} ${text}`)).toEqual([
    '70 Deadline to send Stripe evidence in the dispute of payment one.',
    '58 Won the dispute of payment two at Braintree: we keep 500 USD.',
    '57 Evidence was sent to Braintree in the dispute of payment two.',
    '56 The buyer disputed 500 USD of payment two at Braintree: no reason.',
    '55 The buyer disputed 400 USD of payment one at Stripe: fraudulent.',
    '54 Lost 400 USD in a dispute of payment one at Stripe.',
    '53 A refund of 100 USD failed; the buyer did not get it. Payment one at Stripe.',
    '52 100 USD was refunded. The buyer withdrew, by law or under the guarantee. Payment one at Stripe.',
    '51 bob refunded 250 USD. Reason: asked. Payment one at Stripe.',
    '49 bob tried to refund. This is more than can still be refunded. Reason: too much.',
    '48 eve resent the app link. Reason: lost it.',
    '46 Requested a pause of Quarterly plan: open.',
    '45 Requested an upgrade to Quarterly plan for 500 USD: done. Payment two.',
    '40 Invited somebody to share their location.',
    '35 Received an app link and used it.',
    '30 Bought Monthly plan for 1000 USD with coupon SAVE at Stripe. Payment one.',
    '25 Tried to buy Quarterly plan for 2000 USD at Stripe: declined (insufficient_funds).',
    '20 Confirmed the email address.',
    '10 Signed up.',
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
