import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { FailureOutcome } from '../../../../worker/payments/purchase/renewal-state.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { seeded } from '../../../seeded-random.ts';
import { attemptId, shownTerms } from '../attempts/attempt-fixture.ts';
import { type DrivenObject, driveObject } from '../attempts/driven-object.ts';
import { dispute, endSubscription, refund } from '../attempts/provider-side.ts';
import { buyer, dayMs, type Fetch, gateways, hourMs, stubGateways } from '../payments-fixture.ts';
import { cardRequest, declineAllCards, sendCard } from './card-fixture.ts';

type Fakes = ReturnType<typeof stubGateways>;

/** The fate of one renewal of the year, and its recorded outcome. */
const kinds: Record<string, FailureOutcome | null> = {
  'is paid': null,
  'is paid by a retry': 'retried',
  'is paid with a new card': 'new_card',
  'has to be confirmed at the bank, and is paid with a new card': 'new_card',
  'is never paid': 'lost',
  'is cancelled while it is late': 'cancelled',
  'is late while an earlier payment is disputed': 'disputed',
  'is given up by the gateway': 'lost',
  'is paid, and refunded there': null,
  'is paid, and charged back': null,
  'is paid while the gateway does not answer': null,
};

const names = Object.keys(kinds);
const plans = ['monthly_usd', 'monthly_7d_usd', 'quarterly_usd', 'monthly_eur'];

const accounts = Array.from({ length: env.FULL ? 200 : names.length }, (_, index) => {
  const random = seeded(index + 1);
  const kind = names[index % names.length] ?? '';
  const gateway = gateways[Math.floor(index / names.length + index) % 2] ?? 'stripe';
  return {
    index,
    kind,
    // Braintree renews without a challenge.
    gateway: kind.includes('confirmed') ? ('stripe' as const) : gateway,
    plan: plans[Math.floor(random() * plans.length)] ?? 'monthly_usd',
    /** The affected renewal. */
    renewal: 1 + Math.floor(random() * 2),
    /** When somebody acts on it, days after it was due. */
    respondsAfterDays: kind.includes('does not answer') ? 1 : 1 + Math.floor(random() * 5),
    // A refund at the gateway is known only by its webhook, or after the next renewal.
    receivesWebhooks: random() < 0.5 || /refunded|charged/.test(kind),
  };
});

type Account = (typeof accounts)[number];

/** The end of the paid period by the gateway's own records. */
function paidUntilAtGateway({ stripe, braintree }: Fakes): number {
  const invoices = Object.values(stripe.state.invoices).filter(({ status }) => status === 'paid');
  const lines = invoices.flatMap(({ lines }) => lines.data);
  const periods = lines.filter(({ parent }) => parent?.type === 'subscription_item_details');
  return Math.max(
    0,
    ...periods.map(({ period }) => period.end * 1000),
    ...Object.values(braintree.state.subscriptions).map(({ paidThroughAt }) => paidThroughAt),
  );
}

/** Changes when a gateway has sent a webhook. */
const webhookState = ({ stripe, braintree }: Fakes) => {
  const { subscriptions, transactions, refunds, disputes } = braintree.state;
  const sent = [subscriptions, disputes].flatMap((table) =>
    Object.values<{ status: string }>(table),
  );
  const made = [stripe.state.events, transactions, refunds].map(
    (table) => Object.keys(table).length,
  );
  return JSON.stringify([made, sent.map(({ status }) => status)]);
};

function setCards({ stripe, braintree }: Fakes, card: string, code: string) {
  for (const id of Object.keys(stripe.state.cards)) stripe.state.cards[id] = card;
  for (const token of Object.keys(braintree.state.methods)) braintree.decline(token, code);
}

/** Before the renewal is due. */
function prepare({ kind }: Account, fakes: Fakes, line: { isDown: boolean }) {
  if (kind.includes('confirmed')) setCards(fakes, 'pm_card_authenticationRequired', '1000');
  else if (kind.includes('does not answer')) line.isDown = true;
  else if (!/^is paid($|,)/.test(kind)) declineAllCards(fakes);
}

/** Some days after it was due. */
async function applyEvent({ kind, gateway }: Account, fakes: Fakes, driven: DrivenObject) {
  const [owned] = driven.object().ownedSubscriptions();
  const attempt = owned?.subscription.attempt ?? attemptId('');
  const newest = owned?.rows.filter((row) => row.kind === 'capture').at(-1)?.paymentId ?? '';
  const subscription = owned?.subscription.subscriptionId ?? '';
  if (kind.includes('retry')) setCards(fakes, 'pm_card_visa', '1000');
  if (kind.includes('new card')) {
    const due = (await driven.run((object) => object.card()))?.due ?? 0;
    await sendCard(driven, cardRequest({ gateway }, undefined, due));
  }
  if (kind.includes('cancelled')) await driven.run((object) => object.cancelSubscription(attempt));
  if (kind.includes('is disputed')) {
    if (gateway === 'stripe') fakes.stripe.dispute(newest);
    else fakes.braintree.dispute(newest);
  }
  if (kind.includes('given up')) await endSubscription(fakes, gateway, subscription);
  if (kind.includes('refunded')) await refund(fakes, gateway, newest);
  if (kind.includes('charged back')) await dispute(fakes, gateway, newest);
}

/** Passes a year in steps of twelve hours, and compares access with the gateway's records each time. */
async function simulateYear(account: Account) {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-01-15T10:00:00Z') });
  const line = { isDown: false };
  const through =
    (next: Fetch): Fetch =>
    async (input, init) => {
      // Not a lost connection, which the clients would retry by themselves, with pauses.
      const refused = { error: { type: 'authentication_error' } };
      return line.isDown ? Response.json(refused, { status: 401 }) : next(input, init);
    };
  const fakes = stubGateways({ wrap: through });
  const { gateway, plan, kind } = account;
  const terms = shownTerms({ timeZone: 'Europe/Berlin' });
  const { stub, purchase } = buyer({ gateway, plan, nonce: approved[gateway], terms });
  return driveObject(stub, async (driven) => {
    await driven.buy(purchase);
    let paidUntil = paidUntilAtGateway(fakes);
    let [renewals, seenAt, isReturned] = [0, Date.now(), false];
    let webhooks = webhookState(fakes);
    let [dueAt, hasActed] = [Number.POSITIVE_INFINITY, false];
    const wrong: string[] = [];
    const end = Date.now() + 372 * dayMs;
    for (; Date.now() < end; ) {
      const isNext = renewals + 1 === account.renewal && dueAt === Number.POSITIVE_INFINITY;
      if (isNext && Date.now() + dayMs > paidUntil) {
        dueAt = paidUntil;
        prepare(account, fakes, line);
      }
      await driven.passTime(12 * hourMs);
      fakes.stripe.passTime();
      await fakes.braintree.passTime();
      if (!hasActed && Date.now() > dueAt + account.respondsAfterDays * dayMs) {
        hasActed = true;
        line.isDown = false;
        await applyEvent(account, fakes, driven);
        isReturned = /refunded|charged/.test(kind);
      }
      const latest = webhookState(fakes);
      if (account.receivesWebhooks && !line.isDown && latest !== webhooks) {
        webhooks = latest;
        await driven.run((object) => object.sync());
      }
      const now = Date.now();
      const until = paidUntilAtGateway(fakes);
      if (until > paidUntil) [renewals, paidUntil, seenAt] = [renewals + 1, until, now];
      const hasAccess = driven.object().activePlan('main') !== null;
      const day = new Date(now).toISOString().slice(0, 13);
      if (hasAccess && now >= paidUntil + 7 * dayMs) wrong.push(`${day}: access unpaid`);
      // Without webhooks a payment is found within a day; Braintree's days end at midnight.
      const isKnown = now - seenAt > 30 * hourMs && !line.isDown && !isReturned;
      if (!hasAccess && isKnown && now < paidUntil - dayMs) wrong.push(`${day}: paid, no access`);
    }
    await driven.run((object) => object.sync());
    const [owned] = driven.object().ownedSubscriptions();
    const access = driven.object().activePlan('main') !== null;
    return { wrong, access, failure: owned?.subscription.failure ?? null, renewals };
  });
}

test.each(accounts)(
  'simulated year: account $index, $gateway, $plan: a renewal $kind',
  async (account) => {
    const { wrong, access, failure, renewals } = await simulateYear(account);
    expect(wrong).toEqual([]);
    const { kind } = account;
    expect(failure?.outcome ?? null).toBe(kinds[kind]);
    expect(access).toBe(/^is paid(?!, and)/.test(kind) || kind.includes('new card'));
    expect(renewals).toBeGreaterThanOrEqual(access ? 3 : account.renewal - 1);
  },
);
