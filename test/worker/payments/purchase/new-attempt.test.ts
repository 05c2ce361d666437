import { expect, test } from 'vitest';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import {
  newAttempt,
  withAttemptDefaults,
} from '../../../../worker/payments/purchase/new-attempt.ts';
import type { Attempt } from '../../../../worker/payments/purchase/state.ts';
import { minor } from '../../../../worker/platform/types.ts';
import { attempt, attemptId } from '../attempts/attempt-fixture.ts';

const openedAt = Date.UTC(2026, 10, 22);

const terms = {
  gateway: 'stripe',
  nonce: 'pm',
  deviceData: null,
  experiment: null,
  arm: 'fullPrice',
  terms: null,
} as const;

const ids = { id: attemptId('a'), pollingId: 'p' };

test('attempt: the amount is the plan’s price less the coupon', () => {
  const plan = builtInCatalog.planOf('monthly_7d', 'EUR');
  const whole = newAttempt(plan, { ...terms, coupon: null }, ids, openedAt);
  expect(whole).toMatchObject({ plan, slot: 'main', amount: 699, coupon: null });
  expect(whole).toMatchObject({ state: 'open', openedAt, dueAt: openedAt, rounds: 0, version: 1 });
  const coupon = { kind: 'discount', code: 'SPRING', discount: minor(70) } as const;
  expect(newAttempt(plan, { ...terms, coupon }, ids, openedAt)).toMatchObject({
    amount: 629,
    coupon: 'SPRING',
  });
});

test('attempt: fields that an older build did not store are filled in', () => {
  const stored = (change: Partial<Attempt>) => {
    const { sentAt: _, rounds: __, ...older } = attempt({ openedAt, ...change });
    return withAttemptDefaults(older as Attempt);
  };
  expect(stored({ state: 'open' })).toEqual(attempt({ openedAt }));
  expect(stored({ state: 'sent' })).toMatchObject({ sentAt: openedAt + 10 * 60_000, rounds: 0 });
  expect(
    withAttemptDefaults(attempt({ state: 'sent', openedAt, sentAt: openedAt + 7 })).sentAt,
  ).toBe(openedAt + 7);
});
