import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  failureNotices,
  followFailure,
  isFailureChanged,
} from '../../../../worker/payments/purchase/failed-renewal.ts';
import type { FailedRenewal } from '../../../../worker/payments/purchase/renewal-state.ts';
import type { Statement, Subscription } from '../../../../worker/payments/purchase/state.ts';
import {
  accessUntil,
  applyStatement,
  requestCancellation,
  stateOf,
} from '../../../../worker/payments/purchase/subscription.ts';
import { startSubscription } from '../../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import { epochMs, minor } from '../../../../worker/platform/types.ts';
import { attempt, charge } from '../attempts/attempt-fixture.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
/** Ten o'clock in UTC, a month before the renewal. */
const boughtAt = Date.UTC(2027, 0, 10, 10);
const dueAt = Date.UTC(2027, 1, 10, 10);

const bought = startSubscription(
  attempt({ plan: 'monthly_usd', state: 'active', charge, openedAt: boughtAt }),
  boughtAt,
).subscription;

const statementWith = (status: Statement['status'], change: object = {}) =>
  ({
    status,
    paidUntil: dueAt,
    ends: false,
    unpaid: status === 'past_due' ? 3999 : 0,
    isDisputed: false,
    captures: [{ id: 'pi', paymentId: 'pi', amount: 3999, at: boughtAt }],
    refunds: [],
    disputes: [],
    ...change,
  }) as unknown as Statement;

const read = (before: Subscription, statement: Statement, now: number) =>
  applyStatement(before, statement, now);

const failed = () => read(bought, statementWith('past_due'), dueAt + hour).subscription;

test('failed renewal: e-mails are due at the failure, half-way through the grace period and a day before its end', () => {
  const late = failed();
  expect(stateOf(late)).toBe('past_due');
  expect(late.dueAt).toBe(dueAt + 2 * hour);
  expect(accessUntil(late)).toBe(dueAt + 7 * day);
  expect(late.failure).toEqual({
    periodEndedAt: dueAt,
    failedAt: dueAt + hour,
    amount: 3999,
    outcome: 'open',
    endedAt: null,
    notices: [
      { step: 'failed', at: dueAt + 2 * hour },
      { step: 'middle', at: Date.UTC(2027, 1, 14, 9) },
      { step: 'last', at: dueAt + 6 * day },
    ],
  });
});

test('failed renewal: without a reading of the gateway nothing new is known about it', () => {
  const late = failed();
  expect(followFailure(late, 'past_due', undefined, dueAt + 2 * hour)).toBe(late.failure);
  expect(followFailure({ ...late, failure: null }, 'past_due', undefined, dueAt + hour)).toBeNull();
});

test('failed renewal: each e-mail is due once; of several that are due only the last is sent', () => {
  const first = read(failed(), statementWith('past_due'), dueAt + 3 * hour);
  expect(first.notice).toBe('failed');
  const again = read(first.subscription, statementWith('past_due'), dueAt + 4 * hour);
  expect([again.notice, again.subscription.dueAt]).toEqual([null, dueAt + 4 * hour + day]);
  const dark = read(again.subscription, statementWith('past_due'), dueAt + 6 * day + hour);
  expect([dark.notice, dark.subscription.failure?.notices]).toEqual(['last', []]);
});

test.each<[string, (late: Subscription) => Subscription, FailedRenewal['outcome']]>([
  [
    'paid by a retry',
    (late) =>
      read(late, statementWith('active', { paidUntil: dueAt + 30 * day }), dueAt + 3 * day)
        .subscription,
    'retried',
  ],
  [
    'paid with a new card',
    (late) =>
      read(
        { ...late, cardChangedAt: epochMs(dueAt + 2 * day) },
        statementWith('active', { paidUntil: dueAt + 30 * day }),
        dueAt + 3 * day,
      ).subscription,
    'new_card',
  ],
  ['cancelled by its owner', (late) => requestCancellation(late, dueAt + day), 'cancelled'],
  [
    'voided at the gateway',
    (late) => read(late, statementWith('active'), dueAt + day).subscription,
    'cancelled',
  ],
  [
    'disputed',
    (late) => read(late, statementWith('past_due', { isDisputed: true }), dueAt + day).subscription,
    'disputed',
  ],
  [
    'taken back by the bank',
    (late) => {
      const disputes = [{ id: 'dp', paymentId: 'pi', amount: 3999, at: dueAt }];
      return read(late, statementWith('past_due', { disputes }), dueAt + day).subscription;
    },
    'disputed',
  ],
  [
    'given up by the gateway',
    (late) => read(late, statementWith('ended'), dueAt + day).subscription,
    'lost',
  ],
  [
    'unpaid at Stripe',
    (late) => read(late, statementWith('lapsed'), dueAt + day).subscription,
    'lost',
  ],
  [
    'unpaid for 30 days',
    (late) => read(late, statementWith('past_due'), dueAt + 30 * day).subscription,
    'lost',
  ],
])('failed renewal: when it is %s, no more e-mails are sent', (_, step, outcome) => {
  const { failure } = step(failed());
  expect(failure).toMatchObject({ outcome, notices: [], periodEndedAt: dueAt });
  expect(failure?.endedAt).toBeGreaterThan(dueAt);
});

test('failed renewal: a renewal that is disputed and then paid is recovered', () => {
  const disputed = read(
    failed(),
    statementWith('past_due', { isDisputed: true }),
    dueAt + day,
  ).subscription;
  const paid = statementWith('active', { paidUntil: dueAt + 30 * day });
  expect(read(disputed, paid, dueAt + 2 * day).subscription.failure?.outcome).toBe('retried');
});

test('failed renewal: the next month’s failure counts separately', () => {
  const next = dueAt + 28 * day;
  const paid = read(
    failed(),
    statementWith('active', { paidUntil: next }),
    dueAt + day,
  ).subscription;
  const again = read(
    paid,
    statementWith('past_due', { paidUntil: next }),
    next + hour,
  ).subscription;
  expect(again.failure).toMatchObject({ periodEndedAt: next, outcome: 'open' });
});

test('failed renewal: a first payment still under way does not count', () =>
  expect(read(bought, statementWith('past_due'), boughtAt + hour).subscription.failure).toBeNull());

test('failed renewal: e-mails are by day, 12 hours apart and before access ends, for any grace period and zone', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 30 * 24 }),
      fc.integer({ min: 1, max: 30 }),
      fc.constantFrom('UTC', 'Asia/Tokyo', 'America/Los_Angeles', 'Asia/Kolkata'),
      (hoursLate, graceDays, zone) => {
        const failedAt = epochMs(dueAt + hoursLate * hour);
        const end = dueAt + graceDays * day;
        const notices = failureNotices({ failedAt, periodEndedAt: epochMs(dueAt) }, end, zone);
        for (const [index, { at }] of notices.entries()) {
          const local = new Date(at).toLocaleString('en', {
            timeZone: zone,
            hour: 'numeric',
            hourCycle: 'h23',
          });
          expect(Number(local) >= 9 && Number(local) < 20 && at < end && at > failedAt).toBe(true);
          const before = notices[index - 1];
          if (before) expect(at - before.at).toBeGreaterThanOrEqual(12 * hour);
        }
        if (graceDays >= 5 && hoursLate === 0)
          expect(notices.map(({ step }) => step)).toEqual(['failed', 'middle', 'last']);
      },
    ),
  );
});

test('failed renewal: e-mails are at least twelve hours apart, and none comes after access has ended', () => {
  const failedAt = epochMs(Date.UTC(2027, 1, 10, 10));
  const steps = (accessHours: number) =>
    failureNotices({ failedAt, periodEndedAt: failedAt }, failedAt + accessHours * hour, 'UTC').map(
      ({ step, at }) => [step, (at - failedAt) / hour],
    );
  // Half of 47 hours is at half past nine.
  expect(steps(47)).toEqual([
    ['failed', 1],
    ['middle', 23.5],
  ]);
  expect(steps(1)).toEqual([['middle', 0.5]]);
});

test('failed renewal: after a pause, which gives no access, there is one e-mail', () => {
  const failedAt = epochMs(Date.UTC(2027, 1, 10, 10));
  expect(failureNotices({ failedAt, periodEndedAt: failedAt }, null, 'UTC')).toEqual([
    { step: 'failed', at: failedAt + hour },
  ]);
});

test('failed renewal: what Stripe leaves open is cancelled before the subscription counts as ending', () => {
  const endedAt = epochMs(dueAt + 14 * day);
  const ended = statementWith('ended', { ends: true, endedAt });
  const open = read(failed(), { ...ended, unpaid: minor(1) }, endedAt + hour).subscription;
  expect(open).toMatchObject({ status: 'ended', ends: false, cancelRequestedAt: endedAt });
  const voided = read(open, { ...ended, unpaid: minor(0) }, endedAt + 2 * hour).subscription;
  expect(voided).toMatchObject({ status: 'ended', ends: true, cancelRequestedAt: endedAt });
});

test('failed renewal: another period or another outcome is a change', () => {
  const late = failed().failure;
  expect(isFailureChanged(late, null)).toBe(true);
  expect(isFailureChanged(late, late)).toBe(false);
  expect(isFailureChanged(late, late && { ...late, outcome: 'lost' })).toBe(true);
  expect(isFailureChanged(late, late && { ...late, periodEndedAt: epochMs(1) })).toBe(true);
  expect(isFailureChanged(null, late)).toBe(false);
});
