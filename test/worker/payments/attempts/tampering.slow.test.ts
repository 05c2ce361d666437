import fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import { request } from '../../request.ts';
import { scaled, stubGateways } from '../payments-fixture.ts';
import { pollUntilDone, requestPurchase, signedInHeaders } from '../purchase-helpers.ts';

const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    -1,
    0,
    Number.MAX_VALUE,
    '',
    '0.01',
    [],
    {},
    true,
    '__proto__',
    'braintree',
    'stripe',
    'PayPal',
    'FREE',
    'a'.repeat(300),
    { toString: 'x' },
    'monthly_usd',
  ),
  fc.jsonValue(),
);
const names = fc.constantFrom(
  'gateway',
  'coupon',
  'price',
  'amount',
  'currency',
  'plan',
  'discount',
  'payment_intent_id',
  'user_data',
  '__proto__',
  'constructor',
  'account',
  'slot',
);
const plans = fc.constantFrom(
  'monthly_usd',
  'monthly_7d_eur',
  'quarterly_eur',
  'guide_1799_usd',
  'monthly_usd%00',
  '__proto__',
  'MONTHLY_USD',
  'monthly_usd/../guide_899_usd',
  'upsell_monthly_599_usd',
);

test(
  'tampering: whatever the body contains, the catalogue price is charged, or nothing',
  {
    timeout: 1_200_000,
  },
  () =>
    fc.assert(
      fc.asyncProperty(plans, fc.dictionary(names, hostile), async (plan, wrong) => {
        const fakes = stubGateways();
        const body = { gateway: 'stripe', payment_method_nonce: 'pm_card_visa', ...wrong };
        const response = await requestPurchase(plan, body, await signedInHeaders());
        if (response.status === 200) {
          const { data } = (await response.json()) as { data: { polling_result_id: string } };
          await pollUntilDone(data.polling_result_id);
        } else {
          expect(response.status).toBeGreaterThanOrEqual(400);
          expect(response.status).toBeLessThan(500);
        }
        const row = builtInCatalog.planById(plan);
        for (const { amount } of fakes.captured()) expect(amount).toBe(row?.today);
        expect(fakes.captured().length).toBeLessThanOrEqual(1);
        expect(({} as { price?: unknown }).price).toBeUndefined();
      }),
      { numRuns: scaled(2000), endOnFailure: true },
    ),
);

test.each(['"price":1e309', '"__proto__":{"price":1}', '"plan":"guide_899_usd","plan":1'])(
  'tampering: a raw body with %s changes nothing',
  async (field) => {
    const fakes = stubGateways();
    const body = `{"gateway":"stripe","payment_method_nonce":"pm_card_visa",${field}}`;
    const headers = { ...(await signedInHeaders()), 'content-type': 'application/json' };
    const path = '/api/v1/users/me/subscriptions/monthly_usd';
    expect((await request(path, { method: 'POST', body, headers })).status).toBe(200);
    expect(fakes.captured()).toMatchObject([{ amount: 3999 }]);
  },
);
