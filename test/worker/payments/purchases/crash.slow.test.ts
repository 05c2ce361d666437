import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { Purchase } from '../../../../worker/payments/purchase-request.ts';
import type { AttemptState, GatewayName } from '../../../../worker/payments/rules/attempt.ts';
import { type Minor, minor, type PaymentId, paymentIdOf } from '../../../../worker/types.ts';
import { cycleOfOurs } from '../../../fakes/braintree/server.ts';
import { approved, declining } from '../../../fakes/test-nonces.ts';
import { newInvitee } from '../../invitations/sms/sms-fixture.ts';
import { shownTerms } from '../attempt-fixture.ts';
import { bankPurchase, ibans, walletPurchase } from '../bank-fixture.ts';
import { nonceOfCard } from '../gateways/braintree/braintree-fixture.ts';
import {
  buyer,
  dayMs,
  forgetIntros,
  gateways,
  left,
  minuteMs,
  openBanks,
} from '../payments-fixture.ts';
import { type Driven, drive, type Gate } from './driven-object.ts';
import { askingCard } from './provider-side.ts';

type Bank = ReturnType<typeof openBanks>;
type Play = (driven: Driven, purchase: Purchase, bank: Bank) => Promise<void>;

/** When each run begins, ms since 1970. */
const startedAt = Date.now();
const intro = 'monthly_7d_usd';
/** A plan missing in Braintree's account, so its renewals are refused for good. */
const noRenewals = 'monthly_5d_usd';

/** Buys. A sale that a crash kept from Braintree is not sent again: it fails, and is bought again. */
async function buyAgain(driven: Driven, purchase: Purchase, { braintree }: Bank) {
  for (;;) {
    const attempt = await driven.buy(purchase);
    const sales = Object.values(braintree.state.transactions);
    const arrived = sales.some(({ orderId }) => orderId === attempt.id);
    const kept = attempt.gateway === 'braintree' && attempt.state === 'failed' && !arrived;
    if (!kept || attempt.sentAt === null) return attempt;
  }
}

/** A purchase that must succeed. */
const bought = async (driven: Driven, purchase: Purchase, bank: Bank) => {
  const attempt = await buyAgain(driven, purchase, bank);
  expect(attempt.state).toBe('active');
  return attempt;
};

interface Crash {
  /** The awaits at which the object crashes. */
  at: readonly number[];
  /** Whether the awaited call was executed. */
  arrives: boolean;
}

/** Runs with a new account and with crashes. @returns the number of awaits, and of crashes */
async function live(play: Play, gateway: GatewayName, { at, arrives }: Crash) {
  let awaits = 0;
  let crashes = 0;
  let driven: Driven | undefined;
  const gate: Gate = async (act) => {
    awaits += 1;
    if (!at.includes(awaits)) return act();
    if (arrives) await act();
    crashes += 1;
    driven?.restart();
    return new Promise(() => {});
  };
  // A crashed object's pending awaits never resolve, so it never continues.
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: startedAt });
  const bank = openBanks({
    now: () => Date.now(),
    unpaidTrialStatus: 'trialing',
    cycleOf: (plan) => (plan === noRenewals ? undefined : cycleOfOurs(plan)),
    line: (next) => (input, init) => gate(() => next(input, init)),
  });
  await forgetIntros();
  const { stub, purchase } = buyer({ gateway, nonce: approved[gateway], terms: shownTerms() });
  await drive(
    stub,
    async (started) => {
      driven = started;
      await play(started, purchase, bank);
      const rows = started
        .object()
        .ownedSubscriptions()
        .flatMap((held) => held.rows);
      const ledger = rows.map(({ kind, amount }) => (kind === 'capture' ? amount : -amount));
      const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
      expect(sum(ledger)).toBe(sum(left(bank.taken())));
    },
    gate,
  );
  return { awaits, crashes };
}

/**
 * Variants of a crash at an await: with the awaited call executed or not and, from the second await on, again this
 * many awaits later.
 */
const crashesAt = (at: number): Crash[] =>
  env.FULL
    ? Array.from({ length: 20 }, (_, i) => ({
        at: i < 2 ? [at] : [at, at + (i >> 1)],
        arrives: i % 2 === 0,
      }))
    : [{ at: [at], arrives: at % 8 === 1 }];

/** Nothing of a failed attempt may renew, or be paid later. */
function nothingRuns({ stripe, braintree }: Bank) {
  const { subscriptions, payment_intents: intents, invoices } = stripe.state;
  const states = [subscriptions, intents, invoices].flatMap((table) =>
    Object.values(table).map(({ status }) => status),
  );
  for (const status of states) expect(['canceled', 'incomplete_expired', 'void']).toContain(status);
  expect(Object.values(braintree.state.subscriptions)).toEqual([]);
}

/** Runs everything that is due until a time. */
async function until(driven: Driven, end: number) {
  for (let at = driven.alarm(); at !== null && at <= end; at = driven.alarm()) {
    vi.setSystemTime(Math.max(at, Date.now() + 1));
    await driven.run((object) => object.alarm());
  }
}

async function debited(
  driven: Driven,
  purchase: Purchase,
  { stripe }: Bank,
  iban: string,
  end: AttemptState,
) {
  const asked = { ...purchase, ...(await bankPurchase(stripe, 'sepa_debit', iban)) };
  const { state, pollingId } = await driven.buy(asked);
  expect(['processing', end]).toContain(state);
  await driven.pass(dayMs);
  expect(driven.attempt(pollingId).state).toBe(end);
}

const purchases: Record<string, Play> = {
  async 'a purchase'(driven, purchase, bank) {
    await bought(driven, purchase, bank);
    expect(left(bank.taken())).toEqual([3999]);
  },
  async 'an intro'(driven, purchase, bank) {
    await bought(driven, { ...purchase, plan: intro }, bank);
    expect(left(bank.taken())).toEqual([699]);
  },
  async 'an intro, then renewals'(driven, purchase, bank) {
    await bought(driven, { ...purchase, plan: intro }, bank);
    await until(driven, startedAt + 40 * dayMs);
    expect(left(bank.taken())).toEqual([699, 3999, 3999]);
  },
  async 'a second half that is refused'(driven, purchase, bank) {
    expect((await buyAgain(driven, { ...purchase, plan: noRenewals }, bank)).state).toBe('failed');
    expect(left(bank.taken())).toEqual([0]);
    nothingRuns(bank);
  },
  async 'a decline'(driven, purchase, bank) {
    const nonce = declining[purchase.gateway];
    expect((await buyAgain(driven, { ...purchase, plan: intro, nonce }, bank)).state).toBe(
      'declined',
    );
    nothingRuns(bank);
    expect(left(bank.taken())).toEqual([]);
  },
  async 'a challenge that nobody answers'(driven, purchase, bank) {
    const nonce =
      purchase.gateway === 'stripe'
        ? 'pm_card_authenticationRequired'
        : await nonceOfCard(bank.braintree, askingCard);
    expect(await driven.buy({ ...purchase, plan: intro, nonce })).toMatchObject({
      state: 'failed',
      challengedAt: expect.any(Number),
    });
    nothingRuns(bank);
  },
  async 'a debit that is paid days later'(driven, purchase, bank) {
    await debited(driven, purchase, bank, ibans.paysLater, 'active');
    expect(left(bank.taken())).toEqual([3999]);
  },
  async 'a debit that fails days later'(driven, purchase, bank) {
    await debited(driven, purchase, bank, ibans.failsLater, 'declined');
    expect(driven.object().ownedSubscriptions()).toMatchObject([
      { subscription: { status: 'ended' } },
    ]);
    nothingRuns(bank);
  },
  async 'PayPal, approved on its page, then a renewal'(driven, purchase, bank) {
    const asked = { ...purchase, ...(await walletPurchase(bank.stripe, 'paypal')) };
    const pollingId = await driven.open(asked);
    await driven.pass(2 * minuteMs);
    const { paymentId } = driven.attempt(pollingId);
    bank.stripe.challenge(paymentId ?? '', 'authenticated');
    await driven.open({ ...asked, nonce: null, paymentId });
    await driven.pass(2 * minuteMs);
    expect(driven.attempt(pollingId).state).toBe('active');
    await until(driven, startedAt + 40 * dayMs);
    expect(left(bank.taken())).toEqual([3999, 3999]);
  },
  async Link(driven, purchase, bank) {
    const asked = { ...purchase, ...(await walletPurchase(bank.stripe, 'link')) };
    await bought(driven, asked, bank);
    expect(left(bank.taken())).toEqual([3999]);
  },
  async 'an upsell'(driven, purchase, bank) {
    await bought(driven, purchase, bank);
    await bought(driven, { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null }, bank);
    expect(left(bank.taken())).toEqual([3999, 799]);
  },
};

/** Refunds under one key, repeated until the result is definite. */
async function refunded(driven: Driven, payment: PaymentId | undefined, amount: Minor | null) {
  for (;;) {
    const answer = await driven.run((object) =>
      object.refund(payment ?? paymentIdOf(''), amount, 'key'),
    );
    if (answer.kind !== 'refused') return;
    expect(answer).toEqual({ kind: 'refused', refusal: 'gateway_ambiguous' });
    vi.setSystemTime(Date.now() + 60_000);
  }
}

const heldIn = (driven: Driven) => driven.object().ownedSubscriptions()[0]?.subscription;

const later: Record<string, Play> = {
  async 'a refund'(driven, purchase, bank) {
    const { charge } = await bought(driven, purchase, bank);
    await refunded(driven, charge?.paymentId, null);
    await driven.rest();
    expect(left(bank.taken())).toEqual([0]);
    expect(heldIn(driven)).toMatchObject({ status: 'ended', ends: true });
  },
  async 'a refund of a part, once it is settled'(driven, purchase, bank) {
    const { charge } = await bought(driven, purchase, bank);
    vi.setSystemTime(Date.now() + 2 * dayMs);
    await refunded(driven, charge?.paymentId, minor(1000));
    await refunded(driven, charge?.paymentId, minor(1000));
    expect(left(bank.taken())).toEqual([2999]);
  },
  async 'a cancellation'(driven, purchase, bank) {
    const { id } = await bought(driven, purchase, bank);
    await driven.run((object) => object.cancelSubscription(id));
    await driven.rest();
    expect(left(bank.taken())).toEqual([3999]);
    expect(heldIn(driven)).toMatchObject({ status: 'active', ends: true });
  },
  async 'a withdrawal'(driven, purchase, bank) {
    const { id } = await bought(driven, { ...purchase, plan: intro }, bank);
    await driven.run((object) => object.withdraw(id));
    await driven.rest();
    expect(left(bank.taken())).toEqual([0]);
    expect(heldIn(driven)).toMatchObject({ status: 'ended', ends: true });
  },
  async 'a claim of the guarantee, which ends what was asked'(driven, purchase, bank) {
    const { id } = await bought(driven, purchase, bank);
    const { stub, request } = newInvitee({ account: purchase.account, via: 'link' });
    const asked = await stub.invite(request);
    if (asked.kind === 'refused') throw new Error(asked.refusal);
    await driven.run((object) => object.claim([id]));
    await driven.rest();
    expect(left(bank.taken())).toEqual([0]);
    expect(await stub.viewForRequester(asked.view.id, purchase.account)).toMatchObject({
      state: 'not_shared',
    });
  },
  async 'a deleted account'(driven, purchase, bank) {
    const { stripe, braintree } = bank;
    await bought(driven, purchase, bank);
    await driven.run((object) => object.deleteAccount(async () => null));
    await driven.rest();
    const known = [stripe, braintree].flatMap(({ state }) => Object.values(state.customers));
    expect(known.map(({ email }) => email ?? '').join('')).toBe('');
    expect(heldIn(driven)).toMatchObject({ ends: true });
  },
};

const cases = Object.entries({ ...purchases, ...later }).flatMap(([name, play]) =>
  gateways
    // At Stripe a plan is one object, so it has no second step.
    .filter((gateway) => gateway === 'braintree' || !name.includes('second half'))
    .filter((gateway) => gateway === 'stripe' || !/debit|PayPal|Link/.test(name))
    .map((gateway) => [gateway, name, play] as const),
);

test.each(cases)(
  'crash: %s: %s, with a crash at any await',
  { timeout: 1_800_000 },
  async (...one) => {
    const [gateway, , play] = one;
    const { awaits } = await live(play, gateway, { at: [], arrives: true });
    for (let at = 1; at <= awaits; at += env.FULL ? 1 : 4) {
      for (const crash of crashesAt(at)) {
        expect((await live(play, gateway, crash)).crashes).toBeGreaterThanOrEqual(1);
      }
    }
  },
);
