import { describe, expect, test } from 'vitest';
import { approved } from '../../../fakes/test-nonces.ts';
import { request, statusAndCode } from '../../request.ts';
import { gateways, owner, runAlarm, startPurchase, stubGateways } from '../payments-fixture.ts';
import {
  card,
  pollingId,
  pollUntilDone,
  requestPurchase,
  signedInHeaders,
  stubOf,
} from '../purchase-helpers.ts';

const inGermany = { 'cf-ipcountry': 'DE' };

/** Undefined if the response neither sets nor deletes the cookie. */
const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .find((one) => one.startsWith('currency='))
    ?.split(';')[0];

const pageAbroad = async (path: string, cookie = '') =>
  (await request(path, { headers: { ...inGermany, cookie } })).text();

const termsOn = (html: string) => /data-terms="([^"]*)"/.exec(html)?.[1] ?? '';
const notOffered = [409, 'plan_not_offered'];

async function buyerInTheUs(gateway: 'stripe' | 'braintree') {
  const { captured } = stubGateways();
  const headers = await signedInHeaders();
  await pollUntilDone(
    await pollingId('monthly_usd', card(approved[gateway], { gateway }), headers),
  );
  return { captured, abroad: { ...headers, ...inGermany }, stub: stubOf(headers) };
}

describe.each(gateways)('kept currency: at %s', (gateway) => {
  test.each([
    ['upsell_monthly_999', '/upsell_an_private'],
    ['guide_1799', '/upsell_guide'],
  ])('an extra is shown and sold abroad in the plan’s: %s', async (family, path) => {
    const { abroad, stub } = await buyerInTheUs(gateway);
    const order = { gateway, payment_method_nonce: null };
    const local = { ...order, terms_shown: termsOn(await pageAbroad(path)) };
    const refused = await requestPurchase(`${family}_eur`, local, abroad);
    const cookie = cookieOf(refused) ?? '';
    expect([cookie, ...(await statusAndCode(refused))]).toEqual(['currency=USD', ...notOffered]);
    const html = await pageAbroad(path, cookie);
    expect([html.includes(`${family}_usd`), html.includes(`${family}_eur`)]).toEqual([true, false]);
    const shown = { ...order, terms_shown: termsOn(html) };
    await pollUntilDone(await pollingId(`${family}_usd`, shown, { ...abroad, cookie }));
    const rows = (await stub.ownedSubscriptions()).flatMap((one) => one.rows);
    expect(rows.map(({ currency }) => currency)).toEqual(['USD', 'USD']);
  });

  test('an extra is sold in the plan’s to a client that shows no page', async () => {
    const { abroad, captured } = await buyerInTheUs(gateway);
    const order = { gateway, payment_method_nonce: null };
    await pollUntilDone(await pollingId('guide_1799_usd', order, abroad));
    expect(captured()).toHaveLength(2);
  });
});

type Owner = Awaited<ReturnType<typeof owner>>;

const buyNow = async ({ stub, purchase }: Owner, plan: string) => {
  const order = { ...purchase, terms: null, plan };
  const pollingId = await startPurchase(
    stub,
    plan.startsWith('quarterly') ? order : { ...order, nonce: null },
  );
  // The runtime's own clock would run the alarm only when the simulated days are over.
  await runAlarm(stub);
  return (await stub.result(pollingId))?.state;
};

const endPlan = async (on: Owner) => {
  await on.stub.cancelSubscription(on.attempt.id);
  await on.runAlarm();
  on.later(40);
  await on.fakes.braintree.passTime();
  await on.stub.sync();
};

/** What an account has, and whether another currency is possible. */
const states: [string, boolean, (on: Owner) => Promise<unknown>][] = [
  [
    'a refunded plan whose period runs',
    false,
    ({ stub, attempt }) => stub.refund(attempt.charge?.paymentId as never, null, 'all'),
  ],
  ['a withdrawn plan', false, ({ stub, attempt }) => stub.withdraw(attempt.id)],
  [
    'an ended plan, and an extra that is paid longer',
    false,
    async (on) => {
      await buyNow(on, 'upsell_quarterly_999_usd');
      await endPlan(on);
    },
  ],
  ['an ended plan', true, endPlan],
  [
    'an ended plan, and the guide',
    true,
    async (on) => {
      await buyNow(on, 'guide_1799_usd');
      await endPlan(on);
    },
  ],
];

test.each(gateways.flatMap((gateway) => states.map((state) => [gateway, ...state] as const)))(
  'kept currency: at %s after %s another currency is possible: %s',
  async (...one) => {
    const [gateway, , isFree, reach] = one;
    const on = await owner({ gateway });
    await reach(on);
    await runAlarm(on.stub);
    if (!isFree) {
      const inEuro = await on.stub.buy({ ...on.purchase, terms: null, plan: 'quarterly_eur' });
      expect(inEuro).toEqual({ kind: 'refused', refusal: 'plan_not_offered' });
    }
    expect(await buyNow(on, isFree ? 'quarterly_eur' : 'quarterly_usd')).toBe('active');
  },
);

test('kept currency: without a subscription the cookie sells nothing, and is deleted', async () => {
  const { captured } = stubGateways();
  const forged = { ...(await signedInHeaders()), ...inGermany, cookie: 'currency=JPY' };
  const html = await pageAbroad('/checkout_v3_tr', 'currency=JPY');
  expect(html).toContain('monthly_jpy');
  const order = card(approved.stripe, { terms_shown: termsOn(html) });
  const response = await requestPurchase('monthly_jpy', order, forged);
  expect([cookieOf(response), ...(await statusAndCode(response))]).toEqual([
    'currency=',
    ...notOffered,
  ]);
  expect(captured()).toEqual([]);
});

test.each(['', 'usd', 'XXX', '__proto__', 'USD|de'])(
  'kept currency: a cookie of %j changes no page',
  async (value) =>
    expect(await pageAbroad('/checkout_v3_tr', `currency=${value}`)).toContain('monthly_eur'),
);

test('kept currency: the list of purchases sets the cookie, and signing out deletes it', async () => {
  const { abroad } = await buyerInTheUs('stripe');
  const list = await request('/api/v1/users/me/purchases', { headers: abroad });
  expect(cookieOf(list)).toBe('currency=USD');
  const cookie = 'currency=USD';
  const again = await request('/api/v1/users/me/purchases', { headers: { ...abroad, cookie } });
  expect(cookieOf(again)).toBeUndefined();
  const out = await request('/api/v1/users/me/sign-out', {
    method: 'POST',
    headers: { ...abroad, cookie, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(cookieOf(out)).toBe('currency=');
});
