import { expect, test } from 'vitest';
import { alarmKinds } from '../../../../worker/monitoring/rules/alarm-kinds.ts';

test('alarm kinds: an operator is woken when visitors cannot buy, or money is wrong, and for nothing else', () => {
  const urgent = Object.entries(alarmKinds)
    .filter(([, kind]) => kind.urgent)
    .map(([name]) => name);
  expect(urgent.toSorted()).toEqual([
    ...['circuit_opened', 'declines_rose', 'dispute_due', 'fraud_warning', 'pages_failed'],
    ...['provider_failed', 'purchases_stopped', 'reconciliation_differs', 'signups_stopped'],
    ...['three_d_secure_failed', 'unannounced_charge', 'unsold_money', 'visits_dropped'],
    'walk_failed',
  ]);
});
