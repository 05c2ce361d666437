import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import { ownCoupon } from '../../../../worker/catalog/rules/coupons.ts';
import type { Currency } from '../../../../worker/catalog/rules/currencies.ts';
import type { PlanFamily } from '../../../../worker/catalog/rules/plans.ts';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import type { OwnedSubscription } from '../../../../worker/payments/subscriptions/owned-subscription.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import {
  buyer,
  dayMs,
  gateways,
  type Stub,
  startPurchase,
  stubGateways,
} from '../payments-fixture.ts';

const families: PlanFamily[] = ['monthly', 'monthly_7d', 'monthly_5d', 'monthly_3d', 'quarterly'];
/** Days that not every month has, and the last day that each has. */
const anchors = ['2027-01-28', '2027-01-29', '2027-01-30', '2027-01-31', '2028-02-29'];
const noon = (date: string) => Date.parse(`${date}T12:00:00Z`);

/** The day some months later, computed with the calendar. */
function monthsAfter(anchor: string, months: number): string {
  const [year = 0, month = 0, date = 0] = anchor.split('-').map(Number);
  const right = new Date(Date.UTC(year, month - 1 + months, date));
  while (right.getUTCMonth() !== (month - 1 + months) % 12)
    right.setUTCDate(right.getUTCDate() - 1);
  return right.toISOString().slice(0, 10);
}

/**
 * The first payment and 13 months of renewals, one line each. Stripe keeps the day of the purchase or of the
 * intro's end; Braintree the day of the first renewal, or the last day of each month if that is after the 28th.
 */
function expectedPayments(gateway: GatewayName, family: PlanFamily, anchor: string): string[] {
  const { price, today, introDays, period } = builtInCatalog.planOf(family, 'USD');
  const step = period === 'quarter' ? 3 : 1;
  const times = Math.floor(13 / step);
  const every = (from: string, count: number) =>
    Array.from({ length: count }, (_, i) => {
      const isLastDay = gateway === 'braintree' && Number(from.slice(-2)) > 28 && i > 0;
      const day = isLastDay ? `${from.slice(0, 8)}31` : from;
      return `${monthsAfter(day, i * step)} ${price}`;
    });
  if (introDays > 0) {
    const subscription = new Date(noon(anchor) - introDays * dayMs).toISOString().slice(0, 10);
    return [`${subscription} ${today}`, ...every(anchor, times + 1)];
  }
  if (gateway === 'stripe') return every(anchor, times + 1);
  return [`${anchor} ${today}`, ...every(monthsAfter(anchor, step), times)];
}

/** Runs every alarm of the account until then. */
async function runAlarmsUntil(stub: Stub, end: number) {
  // The runtime's own clock is far behind the test's, and would not run the alarm for years.
  await runDurableObjectAlarm(stub);
  const alarm = () => runInDurableObject(stub, (_, state) => state.storage.getAlarm());
  for (let at = await alarm(); at !== null && at < end; at = await alarm()) {
    vi.setSystemTime(Math.max(at, Date.now() + 1));
    await runDurableObjectAlarm(stub);
  }
}

/** Passes the months by the account's own clock, without any webhook. */
async function runYear(gateway: GatewayName, family: PlanFamily, anchor: string) {
  const { introDays } = builtInCatalog.planOf(family, 'USD');
  vi.useFakeTimers({ toFake: ['Date'], now: noon(anchor) - introDays * dayMs });
  stubGateways();
  const { stub, purchase } = buyer({ gateway, nonce: approved[gateway], plan: `${family}_usd` });
  await startPurchase(stub, purchase);
  await runAlarmsUntil(stub, noon(monthsAfter(anchor, 13)) + 4 * dayMs);
  const subscriptions: OwnedSubscription[] = await stub.ownedSubscriptions();
  const rows = subscriptions[0]?.rows.map(
    ({ at, amount }) => `${new Date(at).toISOString().slice(0, 10)} ${amount}`,
  );
  return { rows, paidUntil: subscriptions[0]?.subscription.paidUntil ?? 0 };
}

const all = gateways.flatMap((gateway) =>
  families.flatMap((family) => anchors.map((anchor) => [gateway, family, anchor] as const)),
);
// A few of the fifty, of both gateways and both periods.
const cases = env.FULL ? all : all.filter((_, i) => i % 12 === 3);

test.each(cases)('renewals: %s, %s: 13 months from %s', async (...one) => {
  const { rows, paidUntil } = await runYear(...one);
  expect(rows).toEqual(expectedPayments(...one));
  expect(paidUntil).toBeGreaterThan(Date.now());
});

/** Buys the plan, then the upsell by one tap, and passes a year of renewals. */
async function runYearWithUpsell(gateway: GatewayName, family: PlanFamily, currency: Currency) {
  vi.useFakeTimers({ toFake: ['Date'], now: noon('2027-01-28') });
  const fakes = stubGateways();
  const end = currency.toLowerCase();
  const { stub, purchase } = buyer({ gateway, nonce: approved[gateway], plan: `monthly_${end}` });
  await startPurchase(stub, purchase);
  await runDurableObjectAlarm(stub);
  const plan = builtInCatalog.planOf(family, currency);
  await startPurchase(stub, { ...purchase, plan: plan.id, nonce: null, coupon: ownCoupon(plan) });
  await runAlarmsUntil(stub, noon('2028-01-28') + dayMs);
  const subscriptions: OwnedSubscription[] = await stub.ownedSubscriptions();
  const upsell = subscriptions.find(({ subscription }) => subscription.slot === 'upsell');
  return { ...fakes, upsell, rows: upsell?.rows.map(({ amount }) => amount) };
}

test.each(
  gateways.flatMap((gateway) => [
    [gateway, 'upsell_monthly_999', 'USD', 13] as const,
    [gateway, 'upsell_monthly_999', 'EUR', 13] as const,
    [gateway, 'upsell_quarterly_999', 'USD', 5] as const,
  ]),
)(
  'renewals: %s: %s in %s is sold and renewed at 30 percent less, %i times in a year',
  async (...one) => {
    const [gateway, family, currency, times] = one;
    const { rows, stripe, braintree } = await runYearWithUpsell(gateway, family, currency);
    expect(rows).toEqual(Array(times).fill(699));
    if (gateway === 'braintree') {
      const [, upsell] = Object.values(braintree.state.subscriptions);
      expect(upsell).toMatchObject({ price: 999, discounts: [{ id: 'UPSELL30', amount: 300 }] });
      return;
    }
    const coupon = { percent_off: 30, duration: 'forever', name: 'UPSELL30' };
    expect(Object.values(stripe.state.coupons)).toMatchObject([
      { ...coupon, max_redemptions: 1, valid: false },
    ]);
    const invoices = Object.values(stripe.state.invoices).filter(({ total }) => total === 699);
    expect(invoices.map(({ subtotal }) => subtotal)).toEqual(Array(times).fill(999));
  },
);

test('renewals: dates of an intro that ends on the 31st', () => {
  expect(expectedPayments('stripe', 'monthly_3d', '2027-01-31').slice(0, 4)).toEqual([
    '2027-01-28 299',
    '2027-01-31 3999',
    '2027-02-28 3999',
    '2027-03-31 3999',
  ]);
  expect(expectedPayments('braintree', 'quarterly', '2027-11-30').slice(0, 3)).toEqual([
    '2027-11-30 5999',
    '2028-02-29 5999',
    '2028-05-31 5999',
  ]);
});
