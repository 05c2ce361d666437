import { env, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { Discount } from '../../../../worker/catalog/rules/coupons.ts';
import type { Purchases } from '../../../../worker/payments/purchases-object.ts';
import { PurchaseStorage } from '../../../../worker/payments/storage/purchase-storage.ts';
import { minor } from '../../../../worker/platform/types.ts';
import {
  browser,
  buy as buyOnline,
  newEmail,
  signedUp,
  signInByEmail,
} from '../../accounts/browser.ts';
import { bankPurchase, ibans } from '../bank-fixture.ts';
import { buy, buyer, dayMs, runAlarm, startPurchase, stubGateways } from '../payments-fixture.ts';
import { stubOf } from '../purchase-helpers.ts';
import { shownTerms } from './attempt-fixture.ts';

const intro = 'monthly_7d_usd';
const otherCard = 'pm_card_mastercard';
const [email, spelling] = ['v.ictim@gmail.com', 'Victim+1@googlemail.com'];
const save: Discount = { kind: 'discount', code: 'SAVE', discount: minor(1000) };

type Buyer = ReturnType<typeof buyer>;
type Change = Parameters<typeof buyer>[0];

/** A limit of a person: what uses it up, and what is refused then. */
interface Limit {
  first: Change;
  ends?: (one: Buyer) => Promise<unknown>;
  next: Change;
  refusal: string;
  /** Whether the card alone keeps it. */
  isOfCard: boolean;
}
const withdraw = async ({ stub }: Buyer) => {
  const [one] = await stub.ownedSubscriptions();
  if (one) await stub.withdraw(one.subscription.attempt);
  await runAlarm(stub);
};
const limits: Record<string, Limit> = {
  intro: { first: { plan: intro }, next: { plan: intro }, refusal: 'intro_used', isOfCard: true },
  coupon: {
    first: { coupon: save },
    next: { coupon: save },
    refusal: 'coupon_used',
    isOfCard: true,
  },
  'full price, then an intro': {
    ...{ first: {}, ends: withdraw, next: { plan: intro } },
    ...{ refusal: 'intro_used', isOfCard: false },
  },
  'full price, then a coupon': {
    ...{ first: {}, ends: withdraw, next: { coupon: save } },
    ...{ refusal: 'full_price_only', isOfCard: false },
  },
};

/** Whether and how somebody proves the mailbox of the first account: at sign-up, or after the purchase. */
const proofs = {
  never: () => Promise.resolve(),
  before: () => Promise.resolve(),
  'after it, in its browser': ({ stub }: Buyer) => stub.proveMailbox(false),
  'after it, in another browser': ({ stub }: Buyer) => stub.proveMailbox(true),
};
type Proof = keyof typeof proofs;

async function spend({ first, ends }: Limit, proof: Proof) {
  const one = buyer({ email, isVerified: proof === 'before', terms: shownTerms(), ...first });
  expect((await buy(one.stub, one.purchase)).state).toBe('active');
  await ends?.(one);
  await runAlarm(one.stub);
  await proofs[proof](one);
  await runAlarm(one.stub);
  return one;
}

const all = Object.keys(limits).flatMap((limit) =>
  (Object.keys(proofs) as Proof[]).flatMap((proof) =>
    [true, false].flatMap((isVerified) =>
      (['another', 'the same'] as const).map((card) => [limit, proof, isVerified, card] as const),
    ),
  ),
);
/** Whether a proof counts shows only with another card: the same one has the same limits whoever proved what. */
const cells = all.filter(
  ([, proof, , card]) => env.FULL || card === 'another' || proof === 'never',
);

test.each(cells)(
  'unproven mailbox: %s: proven %s; the next account proven %s, with %s card',
  async (name, proof, isVerified, card) => {
    stubGateways();
    const limit = limits[name] as Limit;
    await spend(limit, proof);
    const nonce = card === 'another' ? otherCard : 'pm_card_visa';
    const next = buyer({ email: spelling, isVerified, nonce, ...limit.next });
    const { state, refusal } = await buy(next.stub, next.purchase);
    // What another browser bought and ended before the proof is not the owner's.
    const isOwners = proof !== 'never' && !(limit.ends && proof === 'after it, in another browser');
    const isRefused = (isVerified && isOwners) || (limit.isOfCard && card === 'the same');
    expect([state, refusal]).toEqual(isRefused ? ['failed', limit.refusal] : ['active', null]);
  },
);

test.each([
  [false, null],
  [true, 'intro_used'],
])(
  'unproven mailbox: an account that is proven and deleted at once, %s, is remembered as far as it was proven',
  async (isVerified, refusal) => {
    stubGateways();
    const first = buyer({ email, isVerified: false, plan: intro });
    await first.stub.cancelSubscription((await buy(first.stub, first.purchase)).id);
    if (isVerified) await first.stub.proveMailbox(false);
    await first.stub.deleteAccount(async () => null);
    await runAlarm(first.stub);
    const next = buyer({ email: spelling, nonce: otherCard, plan: intro });
    expect((await buy(next.stub, next.purchase)).refusal).toBe(refusal);
  },
);

test.each([
  ['never', false, ['provisional']],
  ['never', true, ['provisional']],
  ['before', false, ['provisional']],
  ['before', true, []],
  ['after it, in its browser', false, ['provisional']],
  ['after it, in its browser', true, []],
] as [Proof, boolean, string[]][])(
  'unproven mailbox: after a bounced debit, proven %s, a debit of the next account, proven %s, gives access: %j',
  async (proof, isVerified, access) => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['Date'] });
    const { stripe } = stubGateways();
    const debit = async (change: Change, iban: string) => {
      const payment = await bankPurchase(stripe, 'sepa_debit', iban);
      const one = buyer({ terms: shownTerms(), ...change, ...payment });
      await startPurchase(one.stub, one.purchase);
      await runAlarm(one.stub);
      return one;
    };
    const first = await debit({ email, isVerified: proof === 'before' }, ibans.failsLater);
    vi.setSystemTime(Date.now() + 5 * dayMs);
    stripe.passTime();
    await first.stub.sync();
    await runAlarm(first.stub);
    await proofs[proof](first);
    await runAlarm(first.stub);
    const next = await debit({ email: spelling, isVerified }, ibans.paysLater);
    expect((await next.stub.entitlements()).active.map(({ reason }) => reason)).toEqual(access);
  },
);

test.each([
  ['the browser that bought it', 'intro_used'],
  ['another browser', 'sold'],
])(
  'unproven mailbox: an intro that was bought and withdrawn, then the mailbox is proven by %s: %s',
  async (who, answer) => {
    stubGateways();
    const [stranger, address] = [browser(), newEmail()];
    const { access_token } = await signedUp(stranger, address);
    await buyOnline(stranger, access_token, 'monthly_usd');
    const stub = stubOf({ authorization: `Bearer ${access_token}` });
    await runInDurableObject(stub, (_: Purchases, { storage }) => {
      const ledger = new PurchaseStorage(storage.kv as never);
      const found = ledger.subscriptionInSlot('main');
      if (found) ledger.saveSubscription({ ...found, status: 'ended', withdrawnAt: Date.now() });
    });
    await env.DB.prepare('UPDATE accounts SET offer_started_at = 1 WHERE email = ?')
      .bind(address)
      .run();
    const opened = await signInByEmail(who === 'another browser' ? browser() : stranger, address);
    const result = await stub.buy({
      ...buyer({ account: opened.entity.external_user_id as never }).purchase,
      ...{ email: address, nonce: otherCard, plan: intro },
    });
    expect(result.kind === 'refused' ? result.refusal : 'sold').toBe(answer);
    const started = await env.DB.prepare('SELECT offer_started_at FROM accounts WHERE email = ?')
      .bind(address)
      .first('offer_started_at');
    expect(started).toBe(answer === 'sold' ? null : 1);
    if (result.kind === 'accepted') await runAlarm(stub);
  },
);
