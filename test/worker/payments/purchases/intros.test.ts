import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import type { Discount } from '../../../../worker/catalog/coupons.ts';
import { shownTerms } from '../attempt-fixture.ts';
import {
  approved,
  buy,
  buyer,
  declining,
  openBank,
  openBanks,
  quietly,
  settle,
} from '../payments-fixture.ts';
import { payers } from './payer-actions.ts';
import { dispute } from './provider-side.ts';

quietly();

const intro = 'monthly_7d_usd';
const otherCard = 'pm_card_mastercard';
const refused = { state: 'failed', refusal: 'intro_used' };
test.each(['stripe', 'braintree'] as const)(
  'intro: %s: one card buys one intro, whatever the e-mail',
  async (gateway) => {
    const banks = openBanks();
    const nonce = approved[gateway];
    const people = Array.from({ length: 4 }, () => buyer({ gateway, nonce, plan: intro }));
    const ends = await Promise.all(people.map(({ stub, purchase }) => buy(stub, purchase)));
    expect(ends.map(({ state }) => state).sort()).toEqual(['active', 'failed', 'failed', 'failed']);
    expect(ends.filter(({ state }) => state === 'failed')).toMatchObject([
      refused,
      refused,
      refused,
    ]);
    expect(banks.taken()).toMatchObject([{ amount: 699 }]);
  },
);

test('intro: one mailbox buys one intro, whatever its spelling and the card', async () => {
  const bank = openBank();
  const spelled = (email: string, nonce: string) => buyer({ plan: intro, email, nonce });
  const [first, second, third] = [
    spelled('a.nn+1@gmail.com', 'pm_card_visa'),
    spelled('Ann@googlemail.com', otherCard),
    spelled('ann@example.com', otherCard),
  ];
  expect((await buy(first.stub, first.purchase)).state).toBe('active');
  expect(await buy(second.stub, second.purchase)).toMatchObject(refused);
  expect((await buy(third.stub, third.purchase)).state).toBe('active');
  expect(bank.captures()).toHaveLength(2);
});

test('intro: after a refusal the same card buys at the full price', async () => {
  const bank = openBank();
  const [first, second] = [buyer({ plan: intro }), buyer({ plan: intro })];
  await buy(first.stub, first.purchase);
  expect(await buy(second.stub, second.purchase)).toMatchObject(refused);
  const full = await buy(second.stub, { ...second.purchase, plan: 'monthly_usd' });
  expect(full.state).toBe('active');
  expect(bank.captures().map(({ amount }) => amount)).toEqual([699, 3999]);
});

test.each(['stripe', 'braintree'] as const)(
  'intro: %s: a declined intro is not used up',
  async (gateway) => {
    openBanks();
    const { stub, purchase } = buyer({ gateway, nonce: declining[gateway], plan: intro });
    expect((await buy(stub, purchase)).state).toBe('declined');
    await settle(stub);
    const again = await buy(stub, { ...purchase, nonce: approved[gateway] });
    expect(again.state).toBe('active');
  },
);

test('intro: an attempt replaced during its challenge does not use the intro up', async () => {
  const banks = openBanks();
  const nonce = await payers.braintree.nonce(banks);
  const { stub, purchase } = buyer({ gateway: 'braintree', nonce, plan: intro });
  expect((await buy(stub, purchase)).state).toBe('challenged');
  const other = { ...purchase, plan: 'monthly_3d_usd', nonce: approved.braintree };
  expect(await buy(stub, other)).toMatchObject({ state: 'active', amount: 299 });
});

test('intro: an account has one intro, also after it has ended', async () => {
  openBank();
  const { stub, purchase } = buyer({ plan: intro, terms: shownTerms() });
  const { id } = await buy(stub, purchase);
  await stub.withdraw(id);
  await settle(stub);
  expect(await stub.buy({ ...purchase, nonce: otherCard })).toEqual({
    kind: 'refused',
    refusal: 'intro_used',
  });
});

test('full price: after a withdrawal no intro or coupon is sold', async () => {
  openBank();
  const { stub, purchase } = buyer({ terms: shownTerms() });
  const { id } = await buy(stub, purchase);
  await stub.withdraw(id);
  await settle(stub);
  const coupon = { kind: 'discount', code: 'SAVE', discount: 1000 } as const;
  expect(await stub.buy({ ...purchase, plan: intro })).toEqual({
    kind: 'refused',
    refusal: 'intro_used',
  });
  expect(await stub.buy({ ...purchase, coupon })).toEqual({
    kind: 'refused',
    refusal: 'full_price_only',
  });
  expect((await buy(stub, purchase)).charge?.amount).toBe(3999);
});

test('full price: after a withdrawal only the upsell’s own coupon lowers a price', async () => {
  openBank();
  const { stub, purchase } = buyer({ terms: shownTerms() });
  const { id } = await buy(stub, purchase);
  await stub.withdraw(id);
  await settle(stub);
  await buy(stub, purchase);
  const extra = (plan: string, coupon: Discount) => ({
    ...purchase,
    plan,
    coupon,
    nonce: null,
  });
  const guide = extra('guide_1799_usd', { kind: 'discount', code: 'SAVE', discount: 1000 });
  expect(await stub.buy(guide)).toEqual({ kind: 'refused', refusal: 'full_price_only' });
  const upsell = extra('upsell_monthly_999_usd', {
    kind: 'discount',
    code: 'UPSELL30',
    discount: 300,
  });
  expect((await buy(stub, upsell)).charge?.amount).toBe(699);
});

test('full price: after a lost dispute no intro or coupon is sold', async () => {
  const banks = openBanks();
  const { stub, purchase } = buyer();
  const { charge } = await buy(stub, purchase);
  await dispute(banks, 'stripe', charge?.paymentId ?? '');
  await stub.sync();
  await settle(stub);
  expect(await stub.buy({ ...purchase, plan: intro })).toEqual({
    kind: 'refused',
    refusal: 'intro_used',
  });
});

test.each(['withdraws', 'withdraws and deletes the account at once'])(
  'full price: a mailbox that %s pays in full in a new account, at the other gateway, with another spelling',
  async (how) => {
    openBanks();
    const first = buyer({ terms: shownTerms(), email: 'b.ob+x@gmail.com' });
    const { id } = await buy(first.stub, first.purchase);
    await first.stub.withdraw(id);
    if (how !== 'withdraws') await first.stub.deleteAccount(async () => null);
    await settle(first.stub);
    const gateway = 'braintree';
    const nonce = approved[gateway];
    const { stub, purchase } = buyer({ gateway, nonce, email: 'Bob@googlemail.com' });
    expect(await buy(stub, { ...purchase, plan: intro })).toMatchObject(refused);
    const coupon = { kind: 'discount', code: 'SAVE', discount: 1000 } as const;
    expect(await buy(stub, { ...purchase, coupon })).toMatchObject({ refusal: 'full_price_only' });
    expect((await buy(stub, purchase)).charge?.amount).toBe(3999);
  },
);

test('intro: reservations are deleted after 400 days', async () => {
  openBanks({ now: () => Date.now() });
  const first = buyer({ plan: intro });
  await buy(first.stub, first.purchase);
  await settle(first.stub);
  const rows = () => env.DB.prepare('SELECT COUNT(*) AS n FROM intros').first<number>('n');
  expect(await rows()).toBe(2);
  const day = 24 * 60 * 60_000;
  await env.DB.prepare('UPDATE intros SET reserved_at = reserved_at - ?')
    .bind(399 * day)
    .run();
  const second = buyer({ plan: intro });
  expect(await buy(second.stub, second.purchase)).toMatchObject(refused);
  await env.DB.prepare('UPDATE intros SET reserved_at = reserved_at - ?')
    .bind(2 * day)
    .run();
  const third = buyer({ plan: intro });
  expect((await buy(third.stub, third.purchase)).state).toBe('active');
  expect(await rows()).toBe(2);
});
