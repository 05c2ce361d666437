import { expect, test } from 'vitest';
import {
  type KnownRisks,
  riskFindings,
} from '../../../../worker/monitoring/rules/risk-findings.ts';
import { minor, paymentIdOf } from '../../../../worker/platform/types.ts';

const hour = 60;
const now = 30_000_000;

const dispute = (id: string, dueInHours: number | null) => ({
  id: `du_${id}`,
  paymentId: paymentIdOf(`pi_${id}`),
  amount: minor(3999),
  currency: 'USD',
  reason: 'fraudulent',
  dueAt: dueInHours === null ? null : (now + dueInHours * hour) * 60_000,
  openedAt: 0,
  state: 'open' as const,
});
const known = (change: Partial<KnownRisks>): KnownRisks => ({
  gateway: 'stripe',
  disputes: [],
  warnings: [],
  ...change,
});

test('disputes: an alarm from three days before the deadline until it is over', () => {
  const found = (...disputes: ReturnType<typeof dispute>[]) =>
    riskFindings([known({ disputes })], now);
  expect(found()).toEqual([]);
  expect(found(dispute('a', 73), dispute('b', 0), dispute('c', -1), dispute('d', null))).toEqual(
    [],
  );
  const [soonest] = found(dispute('exact', 72));
  expect(soonest?.detail).toMatch(/ by \d{4}-\d\d-\d\dT\d\d:\d\dZ$/);
  expect(found(dispute('later', 71), dispute('soon', 5), dispute('far', 200))).toEqual([
    {
      kind: 'dispute_due',
      area: 'dispute_due:stripe',
      segment: '',
      zScore: Number.POSITIVE_INFINITY,
      detail: expect.stringMatching(/^2 without an answer: pi_soon by \S+Z, pi_later by \S+Z$/),
      since: now + 5 * hour - 72 * hour,
    },
  ]);
  const many = found(...['a', 'b', 'c', 'd'].map((id, at) => dispute(id, at + 1)));
  expect(many[0]?.detail).toMatch(/^4 without.*pi_c by [^,]+, …$/);
});

test('early fraud warnings: an alarm that names the payments, of each gateway', () => {
  const warning = (id: string, at: number) => ({ id, paymentId: paymentIdOf(`pi_${id}`), at });
  const warnings = [warning('a', now * 60_000), warning('b', (now - 7) * 60_000)];
  expect(riskFindings([known({ warnings: warnings.slice(1) })], now)).toMatchObject([
    { detail: '1 payment: pi_b', since: now - 7 },
  ]);
  expect(riskFindings([known({ warnings }), known({ gateway: 'braintree' })], now)).toMatchObject([
    {
      kind: 'fraud_warning',
      area: 'fraud_warning:stripe',
      detail: '2 payments: pi_a, pi_b',
      since: now - 7,
    },
  ]);
});
