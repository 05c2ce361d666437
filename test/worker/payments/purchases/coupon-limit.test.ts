import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import type { Discount } from '../../../../worker/catalog/coupons.ts';
import type { PurchaseResponse, Purchases } from '../../../../worker/payments/purchases-object.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import { buy, buyer, openBank } from '../payments-fixture.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

let codes = 0;
/** A coupon of its own, good for so many purchases. */
const limited = (limit: number): Discount => ({
  kind: 'discount',
  code: `LIMIT${++codes}`,
  discount: 400,
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

test('coupon limit: of thirty concurrent buyers three redeem a coupon limited to three', async () => {
  const bank = openBank();
  const coupon = limited(3);
  const buyers = Array.from({ length: 30 }, () => buyer({ coupon }));
  const outcomes: string[] = await Promise.all(buyers.map(outcomeOf));
  expect(outcomes.filter((one) => one === 'opened')).toHaveLength(3);
  expect(outcomes.filter((one) => one === 'coupon_used_up')).toHaveLength(27);
  await vi.waitFor(() => expect(bank.captures()).toHaveLength(3), pollTimeout);
  expect(bank.captures().map(({ amount }) => amount)).toEqual([3599, 3599, 3599]);
  expect(await redeemed(coupon)).toHaveLength(3);
});

test('coupon limit: repeated requests of one buyer redeem once', async () => {
  openBank();
  const coupon = limited(5);
  const { stub, purchase } = buyer({ coupon });
  const outcomes: PurchaseResponse[] = await Promise.all(
    Array.from({ length: 8 }, () => stub.buy(purchase)),
  );
  expect(new Set(outcomes.map((one) => JSON.stringify(one))).size).toBe(1);
  const { id } = await buy(stub, purchase);
  expect(await redeemed(coupon)).toEqual([id]);
});

test('coupon limit: a declined purchase releases its redemption', async () => {
  openBank();
  const coupon = limited(1);
  const { stub, purchase } = buyer({ coupon, nonce: 'pm_card_visa_chargeDeclined' });
  expect(await buy(stub, purchase)).toMatchObject({ state: 'declined' });
  await vi.waitFor(async () => expect(await redeemed(coupon)).toEqual([]), pollTimeout);
  const next = buyer({ coupon });
  expect(await buy(next.stub, next.purchase)).toMatchObject({ state: 'active', amount: 3599 });
  expect(await outcomeOf(buyer({ coupon }))).toBe('coupon_used_up');
});

test('coupon limit: a retry needs no second redemption', async () => {
  openBank();
  const coupon = limited(1);
  const { stub, purchase } = buyer({ coupon });
  const first = await stub.buy(purchase);
  expect(await stub.buy(purchase)).toEqual(first);
  await buy(stub, purchase);
  expect(await stub.buy(purchase)).toEqual(first);
});

test('coupon limit: a redemption without an attempt is released', async () => {
  openBank();
  const coupon = limited(1);
  const { stub, purchase } = buyer();
  await env.DB.prepare('INSERT INTO coupon_redemptions VALUES (?, ?, ?)')
    .bind(coupon.code, 'lost', 1)
    .run();
  // As if the object had stopped between the two.
  await runInDurableObject(stub, (_: Purchases, state) => {
    const redemption = { coupon: coupon.code, attempt: 'lost' };
    state.storage.kv.put(`redemption:lost:${coupon.code}`, redemption);
  });
  await buy(stub, purchase);
  await runDurableObjectAlarm(stub);
  await vi.waitFor(async () => expect(await redeemed(coupon)).toEqual([]), pollTimeout);
});

test('coupon limit: without D1 the purchase is refused', async () => {
  const bank = openBank();
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
  expect(bank.captures()).toEqual([]);
});

test('coupon limit: two coupons in two slots count separately', async () => {
  openBank();
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
    const taken = [await redeemed(one), await redeemed(two)];
    expect(taken).toEqual(attempts.map(({ id }) => [id]));
  }, pollTimeout);
});
