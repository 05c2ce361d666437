import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  differencesInWords,
  type NightlyResult,
  reconciliationFindings,
  sumOfFees,
  withDueDays,
} from '../../../../worker/monitoring/rules/nightly-result.ts';
import { type AttemptId, minor } from '../../../../worker/platform/types.ts';

const result = (change: Partial<NightlyResult> = {}): NightlyResult => ({
  gateway: 'stripe',
  day: '2026-11-21',
  startedAt: Date.UTC(2026, 10, 22, 3),
  finishedAt: Date.UTC(2026, 10, 22, 4),
  cursor: null,
  phase: 'payouts',
  compared: 5,
  fetchedEvents: 0,
  differences: [],
  ...change,
});

test('nightly: each day is due once, after 3:00 UTC, and an unfinished day continues', () => {
  const at = (hour: number) => Date.UTC(2026, 10, 23, hour);
  const done = result();
  expect(withDueDays([done], ['stripe'], at(2))).toEqual([done]);
  const [kept, due] = withDueDays([done], ['stripe'], at(3));
  expect([kept, due?.day, due?.finishedAt]).toEqual([done, '2026-11-22', null]);
  expect(due).toMatchObject({ startedAt: at(3), compared: 0, fetchedEvents: 0, differences: [] });
  expect(withDueDays([done, due as NightlyResult], ['stripe'], at(9))).toEqual([done, due]);
  const next = { ...(due as NightlyResult), finishedAt: at(4) };
  expect(withDueDays([done, next], ['stripe'], at(5))).toEqual([next]);
});

test('nightly: after a provider was down for days, each of them is compared, at most seven', () => {
  const days = (now: number) => {
    const compared: string[] = [];
    for (let all: NightlyResult[] = [result()]; ; ) {
      all = withDueDays(all, ['stripe'], now).map((one) => ({ ...one, finishedAt: now }));
      const [newest] = all.slice(-1);
      if (!newest || newest.day === (compared.at(-1) ?? '2026-11-21')) return compared;
      compared.push(newest.day);
    }
  };
  expect(days(Date.UTC(2026, 10, 25, 5))).toEqual(['2026-11-22', '2026-11-23', '2026-11-24']);
  expect(days(Date.UTC(2026, 10, 25, 2))).toEqual(['2026-11-22', '2026-11-23']);
  const late = days(Date.UTC(2026, 11, 31, 5));
  expect([late.length, late[0], late.at(-1)]).toEqual([7, '2026-12-24', '2026-12-30']);
});

const difference = {
  kind: 'captured_unsold',
  gateway: 'stripe',
  attempt: 'a' as AttemptId,
  currency: 'USD',
  ledger: null,
} as const;

test('nightly: fees are summed by currency, also where only one side has the currency', () => {
  const fees = fc.dictionary(fc.constantFrom('USD', 'EUR', 'JPY'), fc.nat(9000));
  fc.assert(
    fc.property(fees, fees, (one, other) => {
      const sum = sumOfFees(one, other);
      expect(sum).toEqual(sumOfFees(other, one));
      const total = (all: object) => Object.values(all).reduce((a: number, b: number) => a + b, 0);
      expect(total(sum)).toBe(total(one) + total(other));
      expect(Object.keys(sum).length).toBe(new Set(Object.keys({ ...one, ...other })).size);
    }),
  );
});

test('nightly: differences are reported with sums by kind and currency', () => {
  const differences = [699, 1299, 100, 1].map((provider, at) => ({
    ...difference,
    id: `capture:pi_${at}`,
    provider: minor(provider),
  }));
  expect(differencesInWords(differences)).toBe(
    'captured, nothing sold: 4, 20.99 USD (capture:pi_0, capture:pi_1, capture:pi_2, …)',
  );
  const payout = { kind: 'payout_differs', provider: minor(1000), ledger: minor(1299) } as const;
  expect(differencesInWords([{ ...difference, ...payout, id: 'po_1' }])).toContain('1, 2.99 USD');
  const unbooked = { kind: 'sold_uncaptured', provider: null, ledger: minor(1299) } as const;
  expect(differencesInWords([{ ...difference, ...unbooked, id: 'pi_9' }])).toContain(
    '1, 12.99 USD',
  );
  const minute = Date.UTC(2026, 10, 22, 12) / 60_000;
  expect(reconciliationFindings([result({ differences })], minute)).toMatchObject([
    { kind: 'reconciliation_differs', area: 'reconciliation:stripe' },
  ]);
  const one = result({ differences: differences.slice(0, 1) });
  expect(reconciliationFindings([one], minute)).toHaveLength(1);
  expect(reconciliationFindings([result()], minute)).toEqual([]);
  const open = result({ finishedAt: null });
  expect(reconciliationFindings([open], minute)).toMatchObject([{ kind: 'reconciliation_late' }]);
  expect(reconciliationFindings([open], Date.UTC(2026, 10, 22, 5) / 60_000)).toEqual([]);
});
