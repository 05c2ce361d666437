import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { minorPerUnit } from '../../../../locales/format/currency.ts';
import { money } from '../../../../locales/format/money.ts';
import { conversionOf } from '../../../../worker/analytics/rules/conversion.ts';

import { ownCoupon } from '../../../../worker/catalog/rules/coupons.ts';
import {
  type Currency,
  countriesOf,
  currencies,
  isBraintreeCurrency,
} from '../../../../worker/catalog/rules/currencies.ts';
import { isFreeTrial, type Plan, type PlanView } from '../../../../worker/catalog/rules/plans.ts';
import { purchaseConfirmation } from '../../../../worker/email/templates/purchase-emails.ts';
import { builtInDocuments } from '../../../../worker/experiments/rules/config-documents.ts';
import { gatewayTraits } from '../../../../worker/payments/purchase/gateway-traits.ts';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import type { AttemptAnswer } from '../../../../worker/payments/storage/stored-records.ts';
import {
  everywhereCatalog,
  everywhereDocument,
  furtherProducts,
} from '../../../fakes/everywhere-catalog.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { viewOf } from '../../../renewal-placeholders.ts';
import { templateContext } from '../../email/email-fixture.ts';
import { readLanguage } from '../../read-language.ts';
import { request } from '../../request.ts';
import {
  awaitResult,
  buyer,
  dayMs,
  forgetIntros,
  gateways,
  runAlarm,
  type Stub,
  startPurchase,
  stubGateways,
} from '../payments-fixture.ts';

beforeEach(async () => {
  const { 'config.json': config, 'flows.json': flows } = builtInDocuments;
  await env.FUNNEL.put('config.json', config);
  await env.FUNNEL.put('flows.json', flows);
  await env.FUNNEL.put('catalog.json', JSON.stringify(everywhereDocument));
});

const textOf = (html: string) => html.replace(/<[^>]+>/g, '').replace(/[\u2066-\u2069]/g, '');
const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, '');

/** The text of a page for a visitor in that country. */
async function pageIn(currency: Currency, path: string): Promise<string> {
  const [country = ''] = countriesOf(currency);
  const headers = { 'cf-ipcountry': country, 'accept-language': 'en' };
  const response = await request(path, { headers }, { CONFIG_CACHE_SECONDS: '0' });
  expect([path, response.status]).toEqual([path, 200]);
  return textOf(await response.text());
}

test.each(currencies)(
  'currencies: in %s the pages of that market show its own prices',
  async (currency) => {
    const config = JSON.parse(builtInDocuments['config.json']);
    config.offers.fullPrice.plans = ['monthly', 'quarterly', ...Object.keys(furtherProducts)];
    await env.FUNNEL.put('config.json', JSON.stringify(config));
    const checkout = await pageIn(currency, '/checkout_v3_tr');
    const shown = everywhereCatalog.plansIn([currency]).map((plan) => viewOf(plan));
    const written = (family: string) => {
      const view = shown.find((one) => one.family === family);
      return plain(money(view?.price ?? 0, currency, 'en'));
    };
    for (const family of config.offers.fullPrice.plans) expect(checkout).toContain(written(family));
    expect(await pageIn(currency, '/upsell_an_private')).toContain(written('upsell_monthly_999'));
    expect(await pageIn(currency, '/upsell_guide')).toContain(written('guide_1799'));
  },
);

interface Bought {
  plan: Plan;
  view: PlanView;
  attempt: AttemptAnswer;
  stub: Stub;
}

/** Currencies in which every plan is sold, with and without decimals; in others one of each slot, outside the full run. */
const isWhole = (currency: Currency) => env.FULL || currency === 'USD' || currency === 'JPY';

/** The plans that a gateway bills in a currency: an account for each main plan, some of which have extras too. */
async function buyAll(gateway: GatewayName, currency: Currency): Promise<Bought[]> {
  const plans = everywhereCatalog.plansIn([currency]).filter(gatewayTraits[gateway].bills);
  const of = (slot: Plan['slot']) => plans.filter((plan) => plan.slot === slot);
  const [mains, upsells, guides] = [of('main'), of('upsell'), of('guide')];
  const bought: Bought[] = [];
  const chosen = currencies.indexOf(currency) % mains.length;
  for (const [at, main] of mains.entries()) {
    if (!isWhole(currency) && at !== chosen) continue;
    const { stub, purchase } = buyer({ gateway });
    await forgetIntros();
    const extras = isWhole(currency) ? [upsells[at], guides[at]] : [upsells[0], guides[0]];
    for (const plan of [main, ...extras]) {
      if (!plan) continue;
      const nonce = plan.slot === 'main' ? approved[gateway] : null;
      const order = { ...purchase, plan: plan.id, soldPlan: plan, nonce, coupon: ownCoupon(plan) };
      const attempt = await awaitResult(stub, await startPurchase(stub, order));
      expect([plan.id, attempt.state]).toEqual([plan.id, 'active']);
      bought.push({ plan, view: viewOf(plan), attempt, stub });
    }
  }
  return bought;
}

const all = currencies.flatMap((currency) =>
  gateways
    .filter((gateway) => gateway !== 'braintree' || isBraintreeCurrency(currency))
    .map((gateway) => [gateway, currency] as const),
);
/**
 * Yen at both gateways, three decimals, whole units, long amounts, and ordinary ones: a gateway tells currencies apart
 * only by their decimals. `npm run test:full` has all combinations.
 */
const telling = [
  'stripe USD',
  'braintree EUR',
  'stripe KWD',
  'stripe HUF',
  'braintree TWD',
  'braintree IDR',
];
const cases = all.filter(
  ([gateway, currency]) =>
    env.FULL || currency === 'JPY' || telling.includes(`${gateway} ${currency}`),
);

test.each(cases)(
  'currencies: at %s in %s shown, charged, renewed, booked and reported amounts agree for every plan',
  { timeout: 240_000 },
  async (gateway, currency) => {
    await readLanguage('en');
    vi.useFakeTimers({ toFake: ['Date'] });
    const fakes = stubGateways();
    const bought = await buyAll(gateway, currency);
    // Braintree bills no weeks.
    const families = gateway === 'stripe' ? 17 : 16;
    expect(new Set(bought.map(({ plan }) => plan.family)).size).toBe(
      isWhole(currency) ? families : 3,
    );
    const moneyAt = () =>
      gateway === 'stripe'
        ? fakes.stripe
            .captures()
            .map((one) => [one.payment_intent, one.amount, one.currency.toUpperCase()])
        : fakes.braintree.captures().map((one) => [one.transaction, one.amount, one.currency]);
    const captured = moneyAt();
    for (const { plan, view, attempt } of bought) {
      const { charge } = attempt;
      const paid = [charge?.paymentId, view.periodPrice, currency];
      expect([plan.id, captured.filter(([id]) => id === charge?.paymentId)]).toEqual([
        plan.id,
        isFreeTrial(plan) ? [] : [paid],
      ]);
      // The values in pixel and server reports, in major units.
      const report = conversionOf({ ...attempt, plan }, { user: {} as never }, 0);
      expect([report.price, report.currency]).toEqual([
        view.periodPrice / minorPerUnit(currency),
        currency,
      ]);
    }
    // After at least one renewal.
    vi.setSystemTime(Date.now() + 370 * dayMs);
    fakes.stripe.passTime();
    await fakes.braintree.passTime();
    for (const stub of new Set(bought.map((one) => one.stub))) {
      await stub.sync();
      await runAlarm(stub);
    }
    for (const { plan, view, attempt, stub } of bought) {
      const owned = (await stub.ownedSubscriptions()).find(
        (one) => one.subscription.attempt === attempt.id,
      );
      const rows = owned?.rows ?? [];
      const [first, later] = isFreeTrial(plan) ? [undefined, rows] : [rows[0], rows.slice(1)];
      expect([plan.id, first?.amount ?? 0]).toEqual([plan.id, view.periodPrice]);
      expect(rows.every((row) => row.currency === currency)).toBe(true);
      expect(later.every((row) => row.amount === view.price)).toBe(true);
      expect([plan.id, later.length > 0]).toEqual([plan.id, plan.period !== 'once']);
      const data = {
        plan,
        coupon: attempt.coupon,
        at: 0,
        timeZone: 'UTC',
        paid: first?.amount ?? 0,
        renews: null,
        withdraw: null,
      };
      const { sum } = purchaseConfirmation.write(templateContext('en'), data);
      expect(sum).toContain(money(view.periodPrice, currency, 'en'));
    }
  },
);
