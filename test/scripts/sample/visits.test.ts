import { expect, test } from 'vitest';
import { sampleCounts } from '../../../scripts/sample/counts.ts';
import { firstDay } from '../../../scripts/sample/insert.ts';
import { peopleRows } from '../../../scripts/sample/people.ts';
import { sampleExperiments, sampleVisits } from '../../../scripts/sample/visits.ts';
import { dayMs } from '../../../worker/platform/durations.ts';

const now = Date.UTC(2026, 10, 22, 10, 30);
const visits = sampleVisits(firstDay(now), now);

test('sample data: a day has the same visits on every run', () => {
  expect(sampleVisits(firstDay(now), now)).toEqual(visits);
  const later = sampleVisits(firstDay(now), now + dayMs);
  expect(later.slice(0, visits.length)).toEqual(visits);
  expect(later.length).toBeGreaterThan(visits.length);
});

test('sample data: 60 days, two experiments, and every kind of movement', () => {
  const days = new Set(visits.map(({ at }) => Math.floor(at / dayMs)));
  expect(days.size).toBe(60);
  expect(new Set(visits.map(({ experiment }) => experiment))).toEqual(
    new Set([sampleExperiments.landing.name, sampleExperiments.paywall.name]),
  );
  const steps = new Set(visits.flatMap(sampleCounts).map(({ step }) => step));
  for (const step of [
    'exposure',
    'sign_up',
    'purchase',
    'declined',
    'capture',
    'refund',
    'dispute',
  ]) {
    expect(steps).toContain(step);
  }
});

test('sample data: rates are plausible, and no refund exceeds its payment', () => {
  const signedUp = visits.filter(({ signedUpAt }) => signedUpAt !== null).length / visits.length;
  expect(signedUp).toBeGreaterThan(0.15);
  expect(signedUp).toBeLessThan(0.35);
  const bought = visits.flatMap(({ purchases }) => purchases).filter(({ declined }) => !declined);
  expect(bought.length / visits.length).toBeGreaterThan(0.02);
  expect(bought.length / visits.length).toBeLessThan(0.1);
  for (const { movements } of bought) {
    const sum = (isBack: boolean) =>
      movements
        .filter(({ kind }) => (kind !== 'capture') === isBack)
        .reduce((total, { amountMinor }) => total + amountMinor, 0);
    expect(sum(true)).toBeLessThanOrEqual(sum(false));
  }
});

test('sample data: every row of a person is named as a sample, and the ledger equals the counted money', () => {
  const rows = peopleRows(visits, now);
  for (const row of [...rows.accounts, ...rows.attempts, ...rows.ledger, ...rows.audit]) {
    expect(row.id).toMatch(/^sample-/);
  }
  const counted = visits
    .flatMap(sampleCounts)
    .filter(({ step, at }) => step === 'capture' && at < now)
    .reduce((sum, { payment }) => sum + (payment?.amount ?? 0), 0);
  const stored = rows.ledger
    .filter(({ kind }) => kind === 'capture')
    .reduce((sum, { amount }) => sum + Number(amount), 0);
  expect(stored).toBe(counted);
  expect(new Set(rows.ledger.map(({ id }) => id)).size).toBe(rows.ledger.length);
});
