import { expect, test } from 'vitest';
import type { Statement, Subscription } from '../../../../worker/payments/purchase/state.ts';
import {
  accessUntil,
  applyStatement,
  clearReminder,
  renews,
  requestCancellation,
  scheduleSync,
  withSubscriptionDefaults,
} from '../../../../worker/payments/purchase/subscription.ts';
import {
  mayResume,
  resume,
  startSubscription,
  withdraw,
} from '../../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import { epochMs, minor } from '../../../../worker/platform/types.ts';
import { charge as aCharge, attempt, type Plain, planNamed } from '../attempts/attempt-fixture.ts';

type StatementChange = Partial<Plain<Statement>>;

const [hour, day] = [60 * 60_000, 24 * 60 * 60_000];
const charge = { ...aCharge, amount: minor(699) };
const intro = startSubscription(attempt({ plan: 'monthly_7d_usd', state: 'active', charge }), 1000);

const statement = (change: StatementChange = {}) =>
  ({
    status: 'active',
    paidUntil: 40 * day,
    ends: false,
    unpaid: 0,
    isDisputed: false,
    captures: [{ id: 'pi', paymentId: 'pi', amount: 699, at: 1 }],
    refunds: [],
    disputes: [],
    ...change,
  }) as Statement;

test('subscription: a one-time purchase is synced monthly', () => {
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

test('subscription: an attempt without a charge starts none', () =>
  expect(() => startSubscription(attempt(), 1)).toThrow(RangeError));

test('subscription: all money of a statement is a movement', () => {
  const refund = { id: 're', paymentId: 'pi', amount: 100, at: 2 };
  const { movements } = applyStatement(
    intro.subscription,
    statement({ refunds: [refund], disputes: [{ id: 'dp', paymentId: 'pi', amount: 599, at: 3 }] }),
    1,
  );
  expect(movements.map(({ kind, id }) => [kind, id])).toEqual([
    ['capture', 'pi'],
    ['refund', 're'],
    ['dispute', 'dp'],
  ]);
});

test.each<[string, StatementChange, number | null]>([
  ['a running one after its renewal', {}, 40 * day + 6 * hour],
  ['a late one daily', { paidUntil: 1 * day }, 3 * day],
  ['a past due one daily', { status: 'past_due' }, 3 * day],
  ['an ended one monthly', { status: 'ended' }, 32 * day],
  ['one that is paid once, too', { paidUntil: null }, 32 * day],
  ['a planned pause as it begins', { pausesUntil: 60 * day }, 40 * day + 60_000],
  [
    'a paused one after its end',
    { paidUntil: 2 * day, pausesUntil: 60 * day },
    60 * day + 6 * hour,
  ],
  ['a pause that ends now, daily', { paidUntil: 1 * day, pausesUntil: 2 * day }, 3 * day],
])('subscription: next sync for %s', (_, change, dueAt) => {
  expect(applyStatement(intro.subscription, statement(change), 2 * day).subscription.dueAt).toBe(
    dueAt,
  );
});

test.each<[string, StatementChange, Subscription['status']]>([
  ['once its paid period is over', {}, 'paused'],
  ['while it is paid', { paidUntil: 2 * day + 1 }, 'active'],
  ['while a renewal is unpaid', { status: 'past_due' }, 'past_due'],
  ['not at all', { pausesUntil: null }, 'active'],
])('subscription: with a pause at the gateway it pauses %s', (_, change, status) => {
  const paused = statement({ paidUntil: 2 * day, pausesUntil: 60 * day, ...change });
  expect(applyStatement(intro.subscription, paused, 2 * day).subscription.status).toBe(status);
});

test('subscription: is synced for 180 days after the last payment', () => {
  const syncTimes: number[] = [];
  const over = statement({ status: 'ended' });
  for (let at: number | null = 1; at !== null; ) {
    at = applyStatement(intro.subscription, over, at).subscription.dueAt;
    if (at !== null) syncTimes.push(at);
  }
  expect(syncTimes.map((at) => Math.floor(at / day))).toEqual([30, 60, 90, 120, 150, 180]);
});

test('subscription: a cancellation is due at once, then each minute until the gateway confirms it', () => {
  const requested = requestCancellation(intro.subscription, 50);
  expect(requested).toMatchObject({ cancelRequestedAt: 50, dueAt: 50 });
  expect(requestCancellation(requested, 60)).toBe(requested);
  expect(applyStatement(requested, statement(), 70).subscription).toMatchObject({
    ends: false,
    dueAt: 60_070,
  });
  const confirmed = applyStatement(requested, statement({ ends: true }), 70).subscription;
  expect(confirmed).toMatchObject({ ends: true, dueAt: 40 * day + 6 * hour });
  expect(requestCancellation(confirmed, 80)).toBe(confirmed);
});

test('subscription: a resumption is due at once, then each minute until the gateway confirms it', () => {
  const ending = applyStatement(
    requestCancellation(intro.subscription, 50),
    statement({ ends: true }),
    60,
  ).subscription;
  const again = resume(ending, 70);
  expect(again).toMatchObject({ ends: false, cancelRequestedAt: null, resumedAt: 70, dueAt: 70 });
  const unconfirmed = applyStatement(again, statement({ ends: true }), 80).subscription;
  expect(unconfirmed).toMatchObject({ ends: false, resumedAt: 70, dueAt: 60_080 });
  const confirmed = applyStatement(unconfirmed, statement(), 90).subscription;
  expect(confirmed).toMatchObject({ ends: false, resumedAt: null, dueAt: 40 * day + 6 * hour });
  const late = applyStatement(
    unconfirmed,
    statement({ status: 'ended', ends: true }),
    90,
  ).subscription;
  expect(late).toMatchObject({ status: 'ended', ends: true, resumedAt: null });
  const cancelled = { cancelRequestedAt: 95, resumedAt: null };
  expect(requestCancellation(unconfirmed, 95)).toMatchObject(cancelled);
});

test('subscription: a cancellation can be taken back during the paid period', () => {
  const ending = { ...requestCancellation(intro.subscription, 50), paidUntil: epochMs(7 * day) };
  const may = (change: object, now = 60, rows: { kind: string }[] = []) =>
    mayResume({ ...ending, ...change }, rows, now);
  expect([may({}), may({ cancelRequestedAt: null, ends: true })]).toEqual([true, true]);
  expect(may({ cancelRequestedAt: null })).toBe(false);
  expect(may({ withdrawnAt: 55 })).toBe(false);
  expect([may({ status: 'past_due' }), may({ status: 'ended' })]).toEqual([false, false]);
  expect([may({}, 7 * day - hour - 1), may({}, 7 * day - hour)]).toEqual([true, false]);
  const atBraintree = (now: number) => may({ gateway: 'braintree' }, now);
  expect([atBraintree(6 * day - 1), atBraintree(6 * day)]).toEqual([true, false]);
  expect(may({}, 60, [{ kind: 'dispute' }])).toBe(false);
});

test('subscription: a withdrawal is due each minute until everything is refunded', () => {
  const withdrawn = withdraw({ ...intro.subscription, ends: true }, 50);
  const refund = { id: 're', paymentId: 'pi', amount: 600, at: 2 };
  const refunds = [refund, { ...refund, id: 're2', amount: 99 }];
  const dueAt = (change: StatementChange) =>
    applyStatement(withdrawn, statement({ ends: true, ...change }), 70).subscription.dueAt;
  expect(dueAt({})).toBe(60_070);
  expect(dueAt({ refunds: [refund] })).toBe(60_070);
  expect(dueAt({ refunds })).toBe(70 + 30 * day);
  expect(dueAt({ refunds: [refund], disputes: [{ ...refund, amount: 99 }] })).toBe(70 + 30 * day);
});

const newest = { id: 'pi2', paymentId: 'pi2', amount: 3999, at: 2 };

const both = [newest, ...statement().captures];

const back = (paymentId: string, amount: number) => [{ id: 're', paymentId, amount, at: 3 }];

test.each<[string, StatementChange, Statement['status'], boolean]>([
  ['a part is refunded', { refunds: back('pi2', 3998) }, 'active', false],
  ['an earlier payment is refunded', { refunds: back('pi', 699) }, 'active', false],
  ['the newest payment is refunded', { refunds: back('pi2', 3999) }, 'ended', true],
  ['a dispute of the newest payment is lost', { disputes: back('pi2', 3999) }, 'ended', true],
  ['a dispute of an earlier payment is lost', { disputes: back('pi', 699) }, 'active', true],
  ['there is no payment at all', { captures: [] }, 'active', false],
])('subscription: status and renewal when %s', (_, change, status, requested) => {
  const stated = statement({ captures: both, ...change });
  const { subscription } = applyStatement(intro.subscription, stated, 70);
  const isRequested = subscription.cancelRequestedAt !== null;
  expect([subscription.status, isRequested]).toEqual([status, requested]);
  // The gateway's statement confirms that it has received it.
  expect([subscription.ends, subscription.dueAt === 60_070]).toEqual([false, requested]);
  const confirmed = applyStatement(subscription, { ...stated, ends: true }, 80).subscription;
  expect([confirmed.status, confirmed.ends, confirmed.dueAt === 60_080]).toEqual([
    status,
    true,
    false,
  ]);
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
    resume(intro.subscription, 9),
    withdraw(intro.subscription, 9),
    clearReminder(intro.subscription, true),
  ].map(({ version }) => version);
  expect(versions).toEqual([2, 2, 2, 2, 2, 2]);
  expect(intro.subscription.version).toBe(1);
});

test('subscription: access lasts for the paid period, and seven days more while a renewal may be late', () => {
  const held = (change: StatementChange) =>
    applyStatement(intro.subscription, statement(change), 2).subscription;
  expect(accessUntil(held({}))).toBe(47 * day);
  expect(accessUntil(held({ status: 'past_due' }))).toBe(47 * day);
  expect(accessUntil(held({ ends: true }))).toBe(40 * day);
  expect(accessUntil(held({ status: 'ended' }))).toBe(0);
  expect(accessUntil(held({ paidUntil: null }))).toBe(Number.POSITIVE_INFINITY);
});

test('subscription: a lapsed subscription has ended and is cancelled at the gateway', () => {
  const { subscription } = applyStatement(intro.subscription, statement({ status: 'lapsed' }), 5);
  expect(subscription).toMatchObject({ status: 'ended', cancelRequestedAt: 5, ends: false });
  expect(subscription.dueAt).toBe(5 + 60_000);
  const after = applyStatement(
    subscription,
    statement({ status: 'ended', ends: true }),
    6,
  ).subscription;
  expect(after).toMatchObject({ status: 'ended', ends: true });
});

test('subscription: a subscription found days later started when it was paid', () => {
  const late = startSubscription(
    attempt({ plan: 'monthly_7d_usd', state: 'active', charge }),
    9 * day,
  );
  expect(late.movements[0]?.at).toBe(20 * 60_000);
  expect(late.subscription.paidUntil).toBe(7 * day + 20 * 60_000);
  expect(late.subscription.dueAt).toBeLessThan(9 * day);
});

test('subscription: starts with its attempt’s ids and a reminder a day before the intro ends', () => {
  expect(intro.subscription).toEqual({
    attempt: 'a',
    slot: 'main',
    plan: planNamed('monthly_7d_usd'),
    gateway: 'stripe',
    customerId: 'cus',
    subscriptionId: 'sub',
    status: 'active',
    paidUntil: 1000 + 7 * day,
    trialUntil: null,
    isProvisional: false,
    isDebited: false,
    waitsForMoney: false,
    giftUntil: null,
    ends: false,
    pausesUntil: null,
    nextPlan: null,
    raise: null,
    switchedAt: null,
    earlyEnd: null,
    earlier: { subscriptionIds: [], paymentIds: [] },
    ...{ paidSince: null, isRestartDue: false },
    cancelRequestedAt: null,
    resumedAt: null,
    remindAt: 1000 + 6 * day,
    remindedUntil: null,
    noticeMail: null,
    withdrawnAt: null,
    failure: null,
    cardChangedAt: null,
    isDisputed: false,
    dueAt: 1000 + 7 * day + 6 * hour,
    version: 1,
  });
  expect(intro.movements).toEqual([
    { kind: 'capture', id: 'pi', paymentId: 'pi', amount: 699, at: 1000 },
  ]);
});

test('subscription: a payment is dated when it was found, at most 20 minutes after the click', () => {
  const openedAt = 5 * day;
  const paidAt = (now: number) =>
    startSubscription(attempt({ state: 'active', charge, openedAt }), now).movements[0]?.at;
  const limit = openedAt + 20 * 60_000;
  expect([limit - 1, limit, limit + 1].map(paidAt)).toEqual([limit - 1, limit, limit]);
});

test('subscription: fields that an older build did not write are null', () => {
  const { remindAt: _, ...stored } = { ...intro.subscription, cancelRequestedAt: 5 };
  expect(withSubscriptionDefaults(stored as Subscription)).toEqual({
    ...intro.subscription,
    cancelRequestedAt: 5,
    resumedAt: null,
    remindAt: null,
  });
});

test.each<[string, StatementChange, number, number | null]>([
  ['until the grace of a renewal ends', {}, 40 * day + 6 * hour - 1, 40 * day + 6 * hour],
  ['daily from then on', {}, 40 * day + 6 * hour, 41 * day + 6 * hour],
  ['a month before the last read', { status: 'ended' }, 150 * day + 1, 180 * day + 1],
  ['never after it', { status: 'ended' }, 150 * day + 2, null],
  ['without a payment as if it was paid in 1970', { captures: [] }, 2 * day, 40 * day + 6 * hour],
  ['ended without a payment', { status: 'ended', captures: [] }, 150 * day, 180 * day],
  ['ended without a payment, later', { status: 'ended', captures: [] }, 150 * day + 1, null],
])('subscription: is synced %s', (_, change, now, dueAt) => {
  const { subscription } = applyStatement(intro.subscription, statement(change), now);
  // A statement that ends the subscription first requests a cancellation, which is due each minute.
  expect(
    applyStatement({ ...subscription, cancelRequestedAt: null }, statement(change), now),
  ).toEqual(expect.objectContaining({ subscription: expect.objectContaining({ dueAt }) }));
});

test('subscription: the newest payment is found in any order', () => {
  const refunds = back('pi2', 3999);
  const status = (captures: StatementChange['captures'], change: StatementChange = { refunds }) =>
    applyStatement(intro.subscription, statement({ captures, ...change }), 70).subscription.status;
  const [old] = statement().captures;
  if (!old) throw new Error('capture');
  expect([status([newest, old]), status([old, newest])]).toEqual(['ended', 'ended']);
  const early = { refunds: back('pi', 699) };
  expect([status([newest, old], early), status([old, newest], early)]).toEqual([
    'active',
    'active',
  ]);
  const shared = { refunds: back('pi2', 2000), disputes: back('pi2', 1999) };
  expect(status([newest, old], shared)).toBe('ended');
  expect(status([newest, old], { ...shared, disputes: back('pi2', 1998) })).toBe('active');
});

test('subscription: a withdrawal cancels, clears the reminder, and happens once', () => {
  const withdrawn = withdraw(intro.subscription, 50);
  expect(withdrawn).toEqual({
    ...intro.subscription,
    cancelRequestedAt: 50,
    resumedAt: null,
    withdrawnAt: 50,
    remindAt: null,
    dueAt: 50,
    version: 2,
  });
  expect(withdraw(withdrawn, 60)).toBe(withdrawn);
});

test('subscription: clearing a reminder or scheduling a sync changes nothing else', () => {
  const { subscription } = intro;
  const cleared = { ...subscription, remindAt: null, version: 2 };
  expect(clearReminder(subscription, false)).toEqual(cleared);
  const { paidUntil: remindedUntil } = subscription;
  expect(clearReminder(subscription, true)).toEqual({ ...cleared, remindedUntil });
  expect(scheduleSync(subscription, 9)).toEqual({ ...subscription, dueAt: 9, version: 2 });
});

test.each<[Partial<Subscription>, boolean]>([
  [{}, true],
  [{ status: 'past_due' }, true],
  [{ status: 'ended' }, false],
  [{ ends: true }, false],
  [{ cancelRequestedAt: 0 }, false],
  [{ withdrawnAt: 0 }, false],
])('subscription: with %j it renews: %s', (change, does) => {
  expect(renews({ ...intro.subscription, ...change })).toBe(does);
});

test('subscription: stays cancelled if it cannot be resumed', () => {
  const ending = { ...intro.subscription, ends: true };
  expect(mayResume(ending, [{ kind: 'capture' }, { kind: 'refund' }], 60)).toBe(true);
  expect(mayResume(ending, [{ kind: 'capture' }, { kind: 'dispute' }], 60)).toBe(false);
  expect(mayResume({ ...ending, paidUntil: null }, [], 60)).toBe(false);
});

test('subscription: a resumption that did not reach the gateway ends with the subscription', () => {
  const again = resume({ ...intro.subscription, ends: true }, 70);
  const after = (change: StatementChange) =>
    applyStatement(again, statement({ ends: true, ...change }), 80).subscription;
  expect(after({})).toMatchObject({ ends: false, resumedAt: 70, dueAt: 60_080 });
  expect(after({ status: 'past_due' })).toMatchObject({ ends: true, resumedAt: null });
  expect(applyStatement(intro.subscription, statement({ ends: true }), 80).subscription).toEqual(
    expect.objectContaining({ ends: true, resumedAt: null, dueAt: 40 * day + 6 * hour }),
  );
});

test('subscription: a plan change takes effect when its renewal is paid, not before', () => {
  const paidUntil = epochMs(40 * day);
  const [plan, nextPlan] = [planNamed('monthly_7d_usd'), planNamed('quarterly_usd')];
  const changing = { ...intro.subscription, paidUntil, nextPlan };
  const after = (until: number) =>
    applyStatement(changing, statement({ paidUntil: until }), 1).subscription;
  // A gateway may move the same period's end by hours.
  for (const until of [40 * day, 41 * day]) expect(after(until)).toMatchObject({ plan, nextPlan });
  expect(after(41 * day + 1)).toMatchObject({ plan: nextPlan, nextPlan: null });
});
