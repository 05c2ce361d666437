import { describe, expect, test } from 'vitest';
import type { Statement } from '../../../../worker/payments/rules/gateway.ts';
import {
  guaranteedAmount,
  type InvitationOutcome,
  mayClaim,
  refundableAttempts,
} from '../../../../worker/payments/rules/money-back-guarantee.ts';
import type { Terms } from '../../../../worker/payments/rules/new-attempt.ts';
import {
  accessDays,
  accessUntil,
  applyStatement,
  mayResume,
  requestCancellation,
  resume,
  scheduleSync,
  startSubscription,
  withdraw,
} from '../../../../worker/payments/rules/subscription.ts';
import { mayWithdraw, withdrawalDay } from '../../../../worker/payments/rules/withdrawal-right.ts';
import { attempt, attemptId } from '../attempt-fixture.ts';

const hour = 60 * 60_000;

const day = 24 * hour;

const charge = {
  subscriptionId: 'sub',
  paymentId: 'pi',
  customerId: 'cus',
  methodId: 'pm',
  amount: 699,
  currency: 'USD',
} as const;

const intro = startSubscription(attempt({ plan: 'monthly_7d_usd', state: 'active', charge }), 1000);

const statement = (change: Partial<Statement> = {}): Statement => ({
  status: 'active',
  paidUntil: 40 * day,
  ends: false,
  captures: [{ id: 'pi', paymentId: 'pi', amount: 699, at: 1 }],
  refunds: [],
  disputes: [],
  ...change,
});

test('subscription: starts paid until the end of the intro', () => {
  expect(intro.subscription).toMatchObject({
    status: 'active',
    paidUntil: 1000 + 7 * day,
    dueAt: 1000 + 7 * day + 6 * hour,
    ends: false,
  });
  expect(intro.movements).toEqual([
    { kind: 'capture', id: 'pi', paymentId: 'pi', amount: 699, at: 1000 },
  ]);
});

test('subscription: a single payment is read monthly', () => {
  const guide = attempt({
    plan: 'guide_1799_usd',
    state: 'active',
    charge: { ...charge, subscriptionId: null },
  });
  expect(startSubscription(guide, 1).subscription).toMatchObject({
    paidUntil: null,
    dueAt: 1 + 30 * day,
  });
});

test('subscription: an attempt without a charge has none', () => {
  expect(() => startSubscription(attempt(), 1)).toThrow(RangeError);
});

test('subscription: all money of a statement is a movement', () => {
  const refund = { id: 're', paymentId: 'pi', amount: 100, at: 2 };
  const dispute = { id: 'dp', paymentId: 'pi', amount: 599, at: 3 };
  const { movements } = applyStatement(
    intro.subscription,
    statement({ refunds: [refund], disputes: [dispute] }),
    1,
  );
  expect(movements.map(({ kind, id }) => [kind, id])).toEqual([
    ['capture', 'pi'],
    ['refund', 're'],
    ['dispute', 'dp'],
  ]);
});

test.each<[string, Partial<Statement>, number | null]>([
  ['a running one after its renewal', {}, 40 * day + 6 * hour],
  ['a late one daily', { paidUntil: 1 * day }, 3 * day],
  ['a past due one daily', { status: 'past_due' }, 3 * day],
  ['an ended one monthly', { status: 'ended' }, 32 * day],
  ['one that is paid once, too', { paidUntil: null }, 32 * day],
])('subscription: next sync for %s', (_, change, dueAt) => {
  expect(applyStatement(intro.subscription, statement(change), 2 * day).subscription.dueAt).toBe(
    dueAt,
  );
});

test('subscription: read for 180 days after the last payment', () => {
  const looks: number[] = [];
  const over = statement({ status: 'ended' });
  for (let at: number | null = 1; at !== null; ) {
    at = applyStatement(intro.subscription, over, at).subscription.dueAt;
    if (at !== null) looks.push(at);
  }
  expect(looks.map((at) => Math.floor(at / day))).toEqual([30, 60, 90, 120, 150, 180]);
});

test('subscription: a cancellation is due at once, then each minute until the gateway confirms it', () => {
  const asked = requestCancellation(intro.subscription, 50);
  expect(asked).toMatchObject({ cancelAskedAt: 50, dueAt: 50 });
  expect(requestCancellation(asked, 60)).toBe(asked);
  expect(applyStatement(asked, statement(), 70).subscription).toMatchObject({
    ends: false,
    dueAt: 60_070,
  });
  const heard = applyStatement(asked, statement({ ends: true }), 70).subscription;
  expect(heard).toMatchObject({ ends: true, dueAt: 40 * day + 6 * hour });
  expect(requestCancellation(heard, 80)).toBe(heard);
});

test('subscription: a resumption is due at once, then each minute until the gateway confirms it', () => {
  const ending = applyStatement(
    requestCancellation(intro.subscription, 50),
    statement({ ends: true }),
    60,
  ).subscription;
  const again = resume(ending, 70);
  expect(again).toMatchObject({ ends: false, cancelAskedAt: null, resumedAt: 70, dueAt: 70 });
  const unheard = applyStatement(again, statement({ ends: true }), 80).subscription;
  expect(unheard).toMatchObject({ ends: false, resumedAt: 70, dueAt: 60_080 });
  const heard = applyStatement(unheard, statement(), 90).subscription;
  expect(heard).toMatchObject({ ends: false, resumedAt: null, dueAt: 40 * day + 6 * hour });
  const late = applyStatement(unheard, statement({ status: 'ended', ends: true }), 90).subscription;
  expect(late).toMatchObject({ status: 'ended', ends: true, resumedAt: null });
  expect(requestCancellation(unheard, 95)).toMatchObject({ cancelAskedAt: 95, resumedAt: null });
});

test('subscription: a cancellation can be taken back during the paid period at Stripe', () => {
  const ending = { ...requestCancellation(intro.subscription, 50), paidUntil: 7 * day };
  const may = (change: object, now = 60, rows: { kind: string }[] = []) =>
    mayResume({ ...ending, ...change }, rows, now);
  expect([may({}), may({ cancelAskedAt: null, ends: true })]).toEqual([true, true]);
  expect(may({ cancelAskedAt: null })).toBe(false);
  expect([may({ gateway: 'braintree' }), may({ withdrawnAt: 55 })]).toEqual([false, false]);
  expect([may({ status: 'past_due' }), may({ status: 'ended' })]).toEqual([false, false]);
  expect([may({}, 7 * day - hour - 1), may({}, 7 * day - hour)]).toEqual([true, false]);
  expect(may({}, 60, [{ kind: 'dispute' }])).toBe(false);
});

test('subscription: a withdrawal is due each minute until everything is refunded', () => {
  const gone = withdraw({ ...intro.subscription, ends: true }, 50);
  const refund = { id: 're', paymentId: 'pi', amount: 600, at: 2 };
  const refunds = [refund, { ...refund, id: 're2', amount: 99 }];
  const dueAt = (change: Partial<Statement>) =>
    applyStatement(gone, statement({ ends: true, ...change }), 70).subscription.dueAt;
  expect(dueAt({})).toBe(60_070);
  expect(dueAt({ refunds: [refund] })).toBe(60_070);
  expect(dueAt({ refunds })).toBe(70 + 30 * day);
  expect(dueAt({ refunds: [refund], disputes: [{ ...refund, amount: 99 }] })).toBe(70 + 30 * day);
});

const newest = { id: 'pi2', paymentId: 'pi2', amount: 3999, at: 2 };

const both = [newest, ...statement().captures];

const back = (paymentId: string, amount: number) => [{ id: 're', paymentId, amount, at: 3 }];

test.each<[string, Partial<Statement>, Statement['status'], boolean]>([
  ['a part given back', { refunds: back('pi2', 3998) }, 'active', false],
  ['an earlier payment given back', { refunds: back('pi', 699) }, 'active', false],
  ['the newest payment given back', { refunds: back('pi2', 3999) }, 'ended', true],
  ['the newest payment lost', { disputes: back('pi2', 3999) }, 'ended', true],
  ['an earlier payment lost', { disputes: back('pi', 699) }, 'active', true],
  ['no payment at all', { captures: [] }, 'active', false],
])('%s: what is held, and whether it renews', (_, change, status, asked) => {
  const told = statement({ captures: both, ...change });
  const { subscription } = applyStatement(intro.subscription, told, 70);
  expect([subscription.status, subscription.cancelAskedAt !== null]).toEqual([status, asked]);
  // It is the gateway that says when it has heard it.
  expect([subscription.ends, subscription.dueAt === 60_070]).toEqual([false, asked]);
  const heard = applyStatement(subscription, { ...told, ends: true }, 80).subscription;
  expect([heard.status, heard.ends, heard.dueAt === 60_080]).toEqual([status, true, false]);
});

test('subscription: a single payment can not be cancelled', () => {
  const guide = { ...intro.subscription, subscriptionId: null };
  expect(requestCancellation(guide, 50)).toBe(guide);
});

test('subscription: every change increases the version', () => {
  const versions = [
    scheduleSync(intro.subscription, 9),
    requestCancellation(intro.subscription, 9),
    applyStatement(intro.subscription, statement(), 9).subscription,
  ].map(({ version }) => version);
  expect(versions).toEqual([2, 2, 2]);
});

test('subscription: access lasts for the paid period, and seven days more while a renewal may be late', () => {
  const held = (change: Partial<Statement>) =>
    applyStatement(intro.subscription, statement(change), 2).subscription;
  expect(accessDays).toBe(7);
  expect(accessUntil(held({}))).toBe(47 * day);
  expect(accessUntil(held({ status: 'past_due' }))).toBe(47 * day);
  expect(accessUntil(held({ ends: true }))).toBe(40 * day);
  expect(accessUntil(held({ status: 'ended' }))).toBe(0);
  expect(accessUntil(held({ paidUntil: null }))).toBe(Number.POSITIVE_INFINITY);
});

test('subscription: a lapsed one is over and is cancelled at the gateway', () => {
  const { subscription } = applyStatement(intro.subscription, statement({ status: 'lapsed' }), 5);
  expect(subscription).toMatchObject({ status: 'ended', cancelAskedAt: 5, ends: false });
  expect(subscription.dueAt).toBe(5 + 60_000);
  const after = applyStatement(
    subscription,
    statement({ status: 'ended', ends: true }),
    6,
  ).subscription;
  expect(after).toMatchObject({ status: 'ended', ends: true });
});

test('subscription: one found days later started when it was paid', () => {
  const late = startSubscription(
    attempt({ plan: 'monthly_7d_usd', state: 'active', charge }),
    9 * day,
  );
  expect(late.movements[0]?.at).toBe(20 * 60_000);
  expect(late.subscription.paidUntil).toBe(7 * day + 20 * 60_000);
  expect(late.subscription.dueAt).toBeLessThan(9 * day);
});

const terms = (at: string, change: Partial<Terms> = {}): Terms => ({
  text: '',
  version: null,
  language: 'de',
  market: 'euro',
  timeZone: 'Europe/Berlin',
  at: Date.parse(at),
  ...change,
});

const dayOf = (given: Terms) =>
  new Date(withdrawalDay(given) ?? Number.NaN).toISOString().slice(0, 10);

test.each([
  ['a Friday', '2026-11-20T10:00Z', '2026-12-04'],
  ['late in the evening, already the next day there', '2026-11-19T23:30Z', '2026-12-04'],
  ['ending on a Saturday', '2026-11-21T10:00Z', '2026-12-07'],
  ['ending on a Sunday', '2026-11-22T10:00Z', '2026-12-07'],
  ['over the end of a year', '2026-12-22T10:00Z', '2027-01-05'],
])('right to withdraw: bought on %s: the last day', (_name, at, last) => {
  expect(dayOf(terms(at))).toBe(last);
});

test('right to withdraw: lasts to the end of the last day', () => {
  const given = terms('2026-11-20T10:00Z');
  expect(mayWithdraw(given, Date.parse('2026-12-04T22:59Z'))).toBe(true);
  expect(mayWithdraw(given, Date.parse('2026-12-04T23:00Z'))).toBe(false);
});

test('right to withdraw: in Europe only', () => {
  const at = Date.parse('2026-11-21T00:00Z');
  const in_ = (market: Terms['market']) => mayWithdraw(terms('2026-11-20T10:00Z', { market }), at);
  expect([in_('euro'), in_('europe'), in_('us'), in_('other')]).toEqual([true, true, false, false]);
  expect([mayWithdraw(null, at), mayWithdraw(undefined, at)]).toEqual([false, false]);
});

describe('money back guarantee', () => {
  const day = 24 * 60 * 60_000;

  test.each([
    [0, 0, true],
    [0, 44 * day - 1, true],
    [0, 44 * day, false],
    [null, 0, false],
  ])('paid at %s, asked at %d: %s', (paid, now, may) => expect(mayClaim(paid, now)).toBe(may));

  test('guarantee: everything that remains is refunded in time, once', () => {
    const capture = { kind: 'capture', amount: 699, at: 0 } as const;
    const refund = { kind: 'refund', amount: 200, at: 1 } as const;
    const held = { withdrawnAt: null };
    expect(guaranteedAmount(held, [capture, refund], 2)).toBe(499);
    expect(guaranteedAmount(held, [capture], 44 * day)).toBe(0);
    expect(guaranteedAmount({ withdrawnAt: 1 }, [capture], 2)).toBe(0);
  });

  const refusal = (askedAt: number): InvitationOutcome => ({ askedAt, answer: 'refused' });

  const [first, extra] = [
    { attempt: attemptId('first'), slot: 'main', at: 10, back: 100 },
    { attempt: attemptId('extra'), slot: 'upsell', at: 11, back: 100 },
  ] as const;

  const [second, guide] = [
    { attempt: attemptId('second'), slot: 'main', at: 50, back: 100 },
    { attempt: attemptId('guide'), slot: 'guide', at: 55, back: 100 },
  ] as const;

  const both = [first, extra, second, guide];

  test.each<[string, InvitationOutcome[], string[]]>([
    ['nobody was asked', [], []],
    ['a refusal with the first plan', [refusal(20)], ['first', 'extra']],
    ['a refusal with the second plan', [refusal(50)], ['second', 'guide']],
    ['a refusal with each', [refusal(60), refusal(10)], ['first', 'extra', 'second', 'guide']],
    ['a refusal before any plan', [refusal(9)], []],
    ['an open question', [{ askedAt: 60, answer: 'open' }], []],
    ['a yes beside a refusal', [refusal(60), { askedAt: 60, answer: 'agreed' }], []],
  ])('%s', (_what, asked, attempts) => expect(refundableAttempts(both, asked)).toEqual(attempts));

  test('guarantee: a plan without a refund has no refund of extras', () => {
    expect(refundableAttempts([{ ...first, back: 0 }, extra], [refusal(20)])).toEqual([]);
  });
});
