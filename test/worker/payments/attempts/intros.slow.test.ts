import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { Discount } from '../../../../worker/catalog/rules/coupons.ts';
import type { PurchaseResponse } from '../../../../worker/payments/attempts/checkout.ts';
import { releaseUnusedIntros } from '../../../../worker/payments/attempts/intro-limit.ts';
import type { Purchases } from '../../../../worker/payments/purchases-object.ts';
import type { PurchaseStorage } from '../../../../worker/payments/storage/purchase-storage.ts';
import type { Env } from '../../../../worker/platform/env.ts';
import { minor } from '../../../../worker/platform/types.ts';
import { approved, declining } from '../../../fakes/test-nonces.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import {
  buy,
  buyer,
  dayMs,
  type Fetch,
  gateways,
  runAlarm,
  stubGateways,
  stubStripe,
} from '../payments-fixture.ts';
import { attempt, shownTerms } from './attempt-fixture.ts';
import { dispute, payers } from './provider-side.ts';

const intro = 'monthly_7d_usd';

const otherCard = 'pm_card_mastercard';

const refused = { state: 'failed', refusal: 'intro_used' };

test.each(gateways)('intro: %s: one card buys one intro, whatever the e-mail', async (gateway) => {
  const fakes = stubGateways();
  const nonce = approved[gateway];
  const people = Array.from({ length: 4 }, () => buyer({ gateway, nonce, plan: intro }));
  const ends = await Promise.all(people.map(({ stub, purchase }) => buy(stub, purchase)));
  expect(ends.map(({ state }) => state).sort()).toEqual(['active', 'failed', 'failed', 'failed']);
  expect(ends.filter(({ state }) => state === 'failed')).toMatchObject([refused, refused, refused]);
  expect(fakes.captured()).toMatchObject([{ amount: 699 }]);
});

test('intro: one mailbox buys one intro, whatever its spelling and the card', async () => {
  const fake = stubStripe();
  const spelled = (email: string, nonce: string) => buyer({ plan: intro, email, nonce });
  const [first, second, third] = [
    spelled('a.nn+1@gmail.com', 'pm_card_visa'),
    spelled('Ann@googlemail.com', otherCard),
    spelled('ann@example.com', otherCard),
  ];
  expect((await buy(first.stub, first.purchase)).state).toBe('active');
  expect(await buy(second.stub, second.purchase)).toMatchObject(refused);
  expect((await buy(third.stub, third.purchase)).state).toBe('active');
  expect(fake.captures()).toHaveLength(2);
});

test('intro: after a refusal the same card buys at the full price', async () => {
  const fake = stubStripe();
  const [first, second] = [buyer({ plan: intro }), buyer({ plan: intro })];
  await buy(first.stub, first.purchase);
  expect(await buy(second.stub, second.purchase)).toMatchObject(refused);
  const full = await buy(second.stub, { ...second.purchase, plan: 'monthly_usd' });
  expect(full.state).toBe('active');
  expect(fake.captures().map(({ amount }) => amount)).toEqual([699, 3999]);
});

test.each(gateways)('intro: %s: a declined intro is not used up', async (gateway) => {
  stubGateways();
  const { stub, purchase } = buyer({ gateway, nonce: declining[gateway], plan: intro });
  expect((await buy(stub, purchase)).state).toBe('declined');
  await runAlarm(stub);
  expect((await buy(stub, { ...purchase, nonce: approved[gateway] })).state).toBe('active');
});

test('intro: an attempt replaced during its challenge does not use the intro up', async () => {
  const nonce = await payers.braintree.nonce(stubGateways());
  const { stub, purchase } = buyer({ gateway: 'braintree', nonce, plan: intro });
  expect((await buy(stub, purchase)).state).toBe('challenged');
  const other = { ...purchase, plan: 'monthly_3d_usd', nonce: approved.braintree };
  expect(await buy(stub, other)).toMatchObject({ state: 'active', amount: 299 });
});

test('intro: an account has one intro, also after it has ended', async () => {
  stubStripe();
  const { stub, purchase } = buyer({ plan: intro, terms: shownTerms() });
  await stub.withdraw((await buy(stub, purchase)).id);
  await runAlarm(stub);
  expect(await stub.buy({ ...purchase, nonce: otherCard })).toEqual({
    kind: 'refused',
    refusal: 'intro_used',
  });
});

const save = { kind: 'discount', code: 'SAVE', discount: minor(1000) } as const;
const fullPriceOnly = { kind: 'refused', refusal: 'full_price_only' };

test('full price: after a withdrawal only the upsell’s own coupon lowers a price', async () => {
  stubStripe();
  const { stub, purchase } = buyer({ terms: shownTerms() });
  await stub.withdraw((await buy(stub, purchase)).id);
  await runAlarm(stub);
  expect(await stub.buy({ ...purchase, plan: intro })).toEqual({
    kind: 'refused',
    refusal: 'intro_used',
  });
  expect(await stub.buy({ ...purchase, coupon: save })).toEqual(fullPriceOnly);
  expect((await buy(stub, purchase)).charge?.amount).toBe(3999);
  const extra = { ...purchase, nonce: null };
  expect(await stub.buy({ ...extra, plan: 'guide_1799_usd', coupon: save })).toEqual(fullPriceOnly);
  const coupon = { kind: 'discount', code: 'UPSELL30', discount: minor(300) } as const;
  const upsell = await buy(stub, { ...extra, plan: 'upsell_monthly_999_usd', coupon });
  expect(upsell.charge?.amount).toBe(699);
});

test('full price: after a lost dispute no intro or coupon is sold', async () => {
  const fakes = stubGateways();
  const { stub, purchase } = buyer();
  await dispute(fakes, 'stripe', (await buy(stub, purchase)).charge?.paymentId ?? '');
  await stub.sync();
  await runAlarm(stub);
  expect(await stub.buy({ ...purchase, plan: intro })).toEqual({
    kind: 'refused',
    refusal: 'intro_used',
  });
});

test.each(['withdraws', 'withdraws and deletes the account at once'])(
  'full price: a mailbox that %s pays in full in a new account, at the other gateway, with another spelling',
  async (how) => {
    stubGateways();
    const first = buyer({ terms: shownTerms(), email: 'b.ob+x@gmail.com' });
    await first.stub.withdraw((await buy(first.stub, first.purchase)).id);
    if (how !== 'withdraws') await first.stub.deleteAccount(async () => null);
    await runAlarm(first.stub);
    const gateway = 'braintree';
    const nonce = approved[gateway];
    const { stub, purchase } = buyer({ gateway, nonce, email: 'Bob@googlemail.com' });
    expect(await buy(stub, { ...purchase, plan: intro })).toMatchObject(refused);
    const refusal = { refusal: 'full_price_only' };
    expect(await buy(stub, { ...purchase, coupon: save })).toMatchObject(refusal);
    expect((await buy(stub, purchase)).charge?.amount).toBe(3999);
  },
);

test('intro: reservations are deleted after 400 days', async () => {
  stubGateways();
  const first = buyer({ plan: intro });
  await buy(first.stub, first.purchase);
  await runAlarm(first.stub);
  const rows = () => env.DB.prepare('SELECT COUNT(*) AS n FROM intros').first<number>('n');
  expect(await rows()).toBe(2);
  await env.DB.prepare('UPDATE intros SET reserved_at = reserved_at - ?')
    .bind(399 * dayMs)
    .run();
  const second = buyer({ plan: intro });
  expect(await buy(second.stub, second.purchase)).toMatchObject(refused);
  await env.DB.prepare('UPDATE intros SET reserved_at = reserved_at - ?')
    .bind(2 * dayMs)
    .run();
  const third = buyer({ plan: intro });
  expect((await buy(third.stub, third.purchase)).state).toBe('active');
  expect(await rows()).toBe(2);
});

let codes = 0;

/** A separate coupon, valid for this many purchases. */
const limited = (limit: number): Discount => ({
  kind: 'discount',
  code: `LIMIT${++codes}`,
  discount: minor(400),
  limit,
});

const redeemed = async ({ code }: Discount) =>
  (
    await env.DB.prepare('SELECT attempt_id FROM coupon_redemptions WHERE coupon = ?')
      .bind(code)
      .all<{ attempt_id: string }>()
  ).results.map(({ attempt_id }: { attempt_id: string }) => attempt_id);

const outcomeOf = async ({ stub, purchase }: ReturnType<typeof buyer>) => {
  const opened: PurchaseResponse = await stub.buy(purchase);
  return opened.kind === 'refused' ? opened.refusal : 'opened';
};

/** Each payment method that is read is of another card. */
const withCards =
  (next: Fetch, fingerprint: () => string): Fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const response = await next(request);
    if (request.method !== 'GET' || !request.url.includes('/payment_methods/')) return response;
    const method = (await response.json()) as { card: object };
    return Response.json({ ...method, card: { ...method.card, fingerprint: fingerprint() } });
  };

test('coupon limit: of thirty concurrent buyers three redeem a coupon limited to three', async () => {
  let cards = 0;
  const fake = stubStripe({ wrap: (next) => withCards(next, () => `card${++cards}`) });
  const coupon = limited(3);
  const buyers = Array.from({ length: 30 }, () => buyer({ coupon }));
  const outcomes: string[] = await Promise.all(buyers.map(outcomeOf));
  expect(outcomes.filter((one) => one === 'opened')).toHaveLength(3);
  expect(outcomes.filter((one) => one === 'coupon_used_up')).toHaveLength(27);
  await vi.waitFor(() => expect(fake.captures()).toHaveLength(3), pollTimeout);
  expect(fake.captures().map(({ amount }) => amount)).toEqual([3599, 3599, 3599]);
  expect(await redeemed(coupon)).toHaveLength(3);
});

test.each([
  ['the same account', {}, 'coupon_used'],
  [
    'another spelling of the mailbox',
    { email: 'B.ob+2@googlemail.com', nonce: otherCard },
    'coupon_used',
  ],
  ['the same card', { email: 'other@example.com' }, 'coupon_used'],
  ['another person', { email: 'other@example.com', nonce: otherCard }, null],
])('coupon: once for each person: %s', async (who, change, refusal) => {
  stubStripe();
  const coupon = { ...save, code: `ONCE${++codes}` };
  const first = buyer({ coupon, email: 'bob@gmail.com', terms: shownTerms() });
  await buy(first.stub, first.purchase);
  if (who === 'the same account') {
    const guide = { ...first.purchase, plan: 'guide_1799_usd', nonce: null };
    expect(await first.stub.buy(guide)).toMatchObject({ refusal });
    return;
  }
  const next = buyer({ coupon, ...change });
  const bought = await buy(next.stub, next.purchase);
  expect([bought.refusal, bought.state]).toEqual([refusal, refusal ? 'failed' : 'active']);
});

test('coupon: two single-use codes of one coupon are one coupon for a person', async () => {
  stubStripe();
  const email = 'ann@example.com';
  const coupon = { ...save, code: 'CODES.000000000001', limit: 1 };
  const first = buyer({ coupon, email });
  await buy(first.stub, first.purchase);
  const second = buyer({ coupon: { ...coupon, code: 'CODES.000100000002' }, email });
  expect(await buy(second.stub, second.purchase)).toMatchObject({ refusal: 'coupon_used' });
  await vi.waitFor(
    async () => expect(await redeemed({ ...coupon, code: 'CODES.000100000002' })).toEqual([]),
    pollTimeout,
  );
});

test('coupon limit: repeated requests of one buyer redeem once', async () => {
  stubStripe();
  const coupon = limited(1);
  const { stub, purchase } = buyer({ coupon });
  const outcomes: PurchaseResponse[] = await Promise.all(
    Array.from({ length: 8 }, () => stub.buy(purchase)),
  );
  expect(new Set(outcomes.map((one) => JSON.stringify(one))).size).toBe(1);
  const { id } = await buy(stub, purchase);
  expect(await redeemed(coupon)).toEqual([id]);
});

test('coupon limit: a declined purchase releases its redemption', async () => {
  stubStripe();
  const coupon = limited(1);
  const { stub, purchase } = buyer({ coupon, nonce: 'pm_card_visa_chargeDeclined' });
  expect(await buy(stub, purchase)).toMatchObject({ state: 'declined' });
  await vi.waitFor(async () => expect(await redeemed(coupon)).toEqual([]), pollTimeout);
  const next = buyer({ coupon });
  expect(await buy(next.stub, next.purchase)).toMatchObject({ state: 'active', amount: 3599 });
  expect(await outcomeOf(buyer({ coupon }))).toBe('coupon_used_up');
});

test('coupon limit: a redemption without an attempt is released', async () => {
  stubStripe();
  const coupon = limited(1);
  const { stub, purchase } = buyer();
  await env.DB.prepare('INSERT INTO coupon_redemptions VALUES (?, ?, ?)')
    .bind(coupon.code, 'lost', 1)
    .run();
  // As if the object had crashed between the two.
  await runInDurableObject(stub, (_: Purchases, state) => {
    const redemption = { coupon: coupon.code, attempt: 'lost' };
    state.storage.kv.put(`redemption:lost:${coupon.code}`, redemption);
  });
  await buy(stub, purchase);
  await runDurableObjectAlarm(stub);
  await vi.waitFor(async () => expect(await redeemed(coupon)).toEqual([]), pollTimeout);
});

test('coupon limit: without D1 the purchase is refused', async () => {
  const fake = stubStripe();
  const { stub, purchase } = buyer({ coupon: limited(1) });
  const refusal = await runInDurableObject(stub, async (object: Purchases) => {
    vi.spyOn(env.DB, 'prepare').mockImplementation(() => {
      throw new Error('down');
    });
    const opened = await object.buy(purchase);
    vi.restoreAllMocks();
    return opened;
  });
  expect(refusal).toEqual({ kind: 'refused', refusal: 'unavailable' });
  expect(fake.captures()).toEqual([]);
});

test('coupon limit: two coupons in two slots count separately', async () => {
  stubStripe();
  const { stub, purchase } = buyer();
  await buy(stub, purchase);
  const [one, two] = [limited(5), limited(5)];
  const subscription = [
    { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null, coupon: one },
    { ...purchase, plan: 'guide_1799_usd', nonce: null, coupon: two },
  ];
  const attempts = await Promise.all(subscription.map((each) => buy(stub, each)));
  await runDurableObjectAlarm(stub);
  await vi.waitFor(async () => {
    expect([await redeemed(one), await redeemed(two)]).toEqual(attempts.map(({ id }) => [id]));
  }, pollTimeout);
});

const broken = {
  prepare: () => {
    throw new TypeError('D1 is down');
  },
} as unknown as Env['DB'];

test('intro: a failed release is logged as a fault of D1, not of the gateway, and retried', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const deleteIntroReservation = vi.fn();
  const declined = attempt({ id: 'a1', state: 'declined' });
  const storage = { attempt: () => declined };
  const introReservations = { all: () => ['a1'], delete: deleteIntroReservation };
  const ledger = { ...storage, introReservations } as unknown as PurchaseStorage;
  expect(await releaseUnusedIntros(ledger, { ...env, DB: broken })).toBe(false);
  expect(deleteIntroReservation).not.toHaveBeenCalled();
  expect(JSON.parse(warn.mock.calls[0]?.[0])).toMatchObject({
    event: 'binding_unavailable',
    binding: 'DB',
    attempt: 'a1',
  });
});
