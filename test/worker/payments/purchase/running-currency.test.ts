import { expect, test } from 'vitest';
import { runningCurrency } from '../../../../worker/payments/purchase/running-currency.ts';
import { epochMs } from '../../../../worker/platform/types.ts';
import { planNamed } from '../attempts/attempt-fixture.ts';

const refunded = {
  slot: 'main',
  plan: planNamed('monthly_usd'),
  subscriptionId: 'sub',
  status: 'ended',
  paidUntil: epochMs(50),
} as const;

test('running currency: a refunded subscription keeps its currency until its period ends', () => {
  expect([49, 50].map((now) => runningCurrency([refunded], now))).toEqual(['USD', null]);
});
