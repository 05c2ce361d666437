import { expect, test, vi } from 'vitest';
import type { Purchase } from '../../../../worker/payments/attempts/purchase-request.ts';
import { asCardAttempt } from '../../../../worker/payments/purchase/card-update.ts';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import { declining } from '../../../fakes/test-nonces.ts';
import { shortenTimers } from '../../faults/faulty-binding.ts';
import { attemptId } from '../attempts/attempt-fixture.ts';
import { type DrivenObject, driveObject } from '../attempts/driven-object.ts';
import { nonceOfCard } from '../gateways/braintree/braintree-fixture.ts';
import { buyer, gateways, minuteMs, remainingAmounts, stubGateways } from '../payments-fixture.ts';
import {
  answerBank,
  becomePastDue,
  cardRequest,
  cardUpdateOf,
  challengedCards,
  declineAllCards,
  defaultsOf,
  newCards,
  passOneMonth,
  paying,
  sendCard,
} from './card-fixture.ts';
import { casesAt } from './change-helpers.ts';

type Fakes = ReturnType<typeof stubGateways>;

type Scenario = (driven: DrivenObject, purchase: Purchase, fakes: Fakes) => Promise<void>;

/** An owner with a failed renewal, or with a purchase only. */
function owner(gateway: GatewayName, use: Scenario, prepare: Scenario | null) {
  vi.useFakeTimers({ toFake: ['Date'] });
  const fakes = stubGateways();
  const { stub, purchase } = buyer(paying(gateway));
  return driveObject(stub, async (driven) => {
    if (prepare) await prepare(driven, purchase, fakes);
    else await driven.buy(purchase);
    await use(driven, purchase, fakes);
  });
}

const testAt = (
  at: readonly GatewayName[],
  prepare: Scenario | null,
  scenarios: Record<string, Scenario>,
) =>
  test.each(casesAt(at, scenarios))('card update: %s: %s', (gateway, _name, act) =>
    owner(gateway, act, prepare),
  );

const statusOf = (driven: DrivenObject) =>
  driven.object().ownedSubscriptions()[0]?.subscription.status;

testAt(gateways, becomePastDue, {
  async 'a new card is the default, pays the open invoice, and every renewal after it'(
    driven,
    purchase,
    fakes,
  ) {
    expect(statusOf(driven)).toBe('past_due');
    const before = await driven.run((object) => object.card());
    expect(before).toMatchObject({ gateway: purchase.gateway, due: 3999 });
    const update = await sendCard(driven, cardRequest(purchase));
    expect(update).toMatchObject({ state: 'done', payment: 'paid', secret: null });
    expect(remainingAmounts(fakes.captured())).toEqual([3999, 3999]);
    expect(statusOf(driven)).toBe('active');
    const { last4 } = newCards[purchase.gateway];
    expect(new Set(defaultsOf(fakes))).toEqual(new Set([last4]));
    const after = await driven.run((object) => object.card());
    expect(after).toMatchObject({ due: 0, card: { brand: 'Mastercard', last4 } });
    await passOneMonth(fakes);
    await driven.run((object) => object.sync());
    expect(remainingAmounts(fakes.captured())).toEqual([3999, 3999, 3999]);
  },
  async 'double clicks and two tabs pay once'(driven, purchase, fakes) {
    const request = cardRequest(purchase);
    const other = cardRequest(purchase);
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => driven.object().updateCard(request)),
      driven.object().updateCard(other),
    ]);
    expect(answers.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => ({ kind: 'accepted' })));
    expect(answers[5]).toEqual({ kind: 'refused', refusal: 'purchase_in_progress' });
    await driven.runDueAlarms();
    expect((await sendCard(driven, request)).payment).toBe('paid');
    expect((await sendCard(driven, other)).payment).toBe('none');
    expect(remainingAmounts(fakes.captured())).toEqual([3999, 3999]);
  },
  async 'the bank challenges a new card, and the payer answers'(driven, purchase, fakes) {
    const request = cardRequest(purchase, await challengedCards[purchase.gateway](fakes));
    expect((await sendCard(driven, request)).state).toBe('challenged');
    expect(remainingAmounts(fakes.captured())).toEqual([3999]);
    expect(await answerBank(driven, request, fakes)).toMatchObject({ payment: 'paid' });
    expect(remainingAmounts(fakes.captured())).toEqual([3999, 3999]);
  },
  async 'a failed or unanswered challenge saves no card'(driven, purchase, fakes) {
    const defaults = defaultsOf(fakes);
    const failed = cardRequest(purchase, await challengedCards[purchase.gateway](fakes));
    await sendCard(driven, failed);
    expect((await answerBank(driven, failed, fakes, 'failed')).state).toBe('declined');
    const left15 = cardRequest(purchase, await challengedCards[purchase.gateway](fakes));
    await sendCard(driven, left15);
    await driven.passTime(15 * minuteMs);
    expect(cardUpdateOf(driven, left15.key).state).toBe('failed');
    expect(remainingAmounts(fakes.captured())).toEqual([3999]);
    expect(defaultsOf(fakes).at(-1)).toBe(defaults.at(-1));
  },
  async 'during a challenge another card may be entered'(driven, purchase, fakes) {
    const first = cardRequest(purchase, await challengedCards[purchase.gateway](fakes));
    await sendCard(driven, first);
    expect((await sendCard(driven, cardRequest(purchase))).payment).toBe('paid');
    expect(cardUpdateOf(driven, first.key).state).toBe('failed');
    expect(remainingAmounts(fakes.captured())).toEqual([3999, 3999]);
  },
  async 'a declined card is not saved'(driven, purchase, fakes) {
    const defaults = defaultsOf(fakes);
    const nonce = { stripe: 'pm_card_chargeDeclined', braintree: declining.braintree }[
      purchase.gateway
    ];
    const update = await sendCard(driven, cardRequest(purchase, nonce));
    expect(update).toMatchObject({ state: 'declined', declineCode: 'generic_decline' });
    expect(defaultsOf(fakes)).toEqual(defaults);
    expect(remainingAmounts(fakes.captured())).toEqual([3999]);
    expect(statusOf(driven)).toBe('past_due');
  },
  async 'a card that is verified and then declined is saved'(driven, purchase, fakes) {
    const request = cardRequest(purchase);
    if (purchase.gateway === 'stripe') request.nonce = 'pm_card_chargeCustomerFail';
    await driven.object().updateCard(request);
    fakes.braintree.decline(cardUpdateOf(driven, request.key).id, '2001');
    await driven.runDueAlarms();
    expect(cardUpdateOf(driven, request.key)).toMatchObject({ state: 'done', payment: 'unpaid' });
    expect(remainingAmounts(fakes.captured())).toEqual([3999]);
  },
  async 'the charge never exceeds the displayed amount'(driven, purchase, fakes) {
    const update = await sendCard(driven, cardRequest(purchase, undefined, 3998));
    expect(update).toMatchObject({ state: 'done', payment: 'unpaid' });
    expect(remainingAmounts(fakes.captured())).toEqual([3999]);
    expect((await sendCard(driven, cardRequest(purchase))).payment).toBe('paid');
    expect(remainingAmounts(fakes.captured())).toEqual([3999, 3999]);
  },
  async 'after five declined cards in an hour the next is refused'(driven, purchase, fakes) {
    const nonce = { stripe: 'pm_card_chargeDeclined', braintree: declining.braintree }[
      purchase.gateway
    ];
    for (let card = 0; card < 5; card += 1) await sendCard(driven, cardRequest(purchase, nonce));
    expect(await driven.object().updateCard(cardRequest(purchase))).toEqual({
      kind: 'refused',
      refusal: 'too_many_declines',
    });
    expect(remainingAmounts(fakes.captured())).toEqual([3999]);
  },
  async 'the limiters count a card that is verified and then declined as declined'(
    driven,
    purchase,
    fakes,
  ) {
    const request = cardRequest(purchase);
    if (purchase.gateway === 'stripe') request.nonce = 'pm_card_chargeCustomerFail';
    await driven.object().updateCard(request);
    fakes.braintree.decline(cardUpdateOf(driven, request.key).id, '2001');
    await driven.runDueAlarms();
    expect(asCardAttempt(cardUpdateOf(driven, request.key))).toMatchObject({ state: 'declined' });
  },
});

testAt(gateways, null, {
  async 'without an open invoice a new card charges nothing'(driven, purchase, fakes) {
    const update = await sendCard(driven, cardRequest(purchase, undefined, 0));
    expect(update).toMatchObject({ state: 'done', payment: 'none' });
    expect(remainingAmounts(fakes.captured())).toEqual([3999]);
    expect(new Set(defaultsOf(fakes))).toEqual(new Set([newCards[purchase.gateway].last4]));
    // An extra is charged to it, too.
    const plan = 'upsell_monthly_799_usd';
    expect((await driven.buy({ ...purchase, plan, nonce: null })).state).toBe('active');
    expect(fakes.captured().map(({ amount }) => amount)).toEqual([3999, 799]);
  },
  async 'a deleted account keeps no card, not even from a call under way'(driven, purchase) {
    const first = cardRequest(purchase, undefined, 0);
    expect((await sendCard(driven, first)).card).toMatchObject({ last4: '4444' });
    const second = cardRequest(purchase, undefined, 0);
    await driven.object().updateCard(second);
    const { fetch } = globalThis;
    let isDeleted = false;
    vi.stubGlobal('fetch', async (...call: Parameters<typeof fetch>) => {
      const response = await fetch(...call);
      if (!isDeleted) {
        isDeleted = true;
        await driven.object().deleteAccount(async () => null);
      }
      return response;
    });
    await driven.runDueAlarms();
    for (const { key } of [first, second]) expect(cardUpdateOf(driven, key).card).toBeNull();
    expect(cardUpdateOf(driven, second.key).state).toBe('failed');
  },
});

testAt(['braintree'], becomePastDue, {
  async 'a card other than the challenged one is not saved'(driven, purchase, fakes) {
    const defaults = defaultsOf(fakes);
    const request = cardRequest(purchase, await challengedCards.braintree(fakes));
    expect((await sendCard(driven, request)).state).toBe('challenged');
    const nonce = await nonceOfCard(fakes.braintree, '4005519200000004');
    expect((await sendCard(driven, { ...request, nonce })).state).toBe('declined');
    expect(defaultsOf(fakes)).toEqual(defaults);
    expect(remainingAmounts(fakes.captured())).toEqual([3999]);
  },
  async 'at Braintree, where a debt grows during hours of absence, the charge never exceeds the displayed amount'(
    driven,
    purchase,
    fakes,
  ) {
    shortenTimers(1000);
    const real = globalThis.fetch;
    let isAway = false;
    vi.stubGlobal('fetch', async (...call: Parameters<typeof fetch>) => {
      const [input, init] = call;
      const request = new Request(input, init);
      const isSale = request.method === 'POST' && request.url.endsWith('/transactions');
      if (isAway || isSale) {
        isAway = true;
        throw new TypeError('network');
      }
      return real(request);
    });
    const request = cardRequest(purchase);
    await driven.run((object) => object.updateCard(request));
    await driven.passTime(3 * 60 * 60_000);
    expect(cardUpdateOf(driven, request.key).state).toBe('paying');
    vi.stubGlobal('fetch', real);
    for (const one of Object.values(fakes.braintree.state.subscriptions)) one.balance = 2 * 3999;
    await driven.passTime(60 * 60_000);
    expect(cardUpdateOf(driven, request.key)).toMatchObject({ state: 'done', payment: 'unpaid' });
    expect(remainingAmounts(fakes.captured())).toEqual([3999]);
    expect(await driven.run((object) => object.card())).toMatchObject({ due: 2 * 3999 });
    const again = cardRequest(purchase, undefined, 2 * 3999);
    expect(await sendCard(driven, again)).toMatchObject({ payment: 'paid' });
    expect(remainingAmounts(fakes.captured())).toEqual([3999, 2 * 3999]);
  },
});

test.each(gateways)(
  'card update: %s: five declined cards on the card page also block a purchase and an upgrade',
  async (gateway) => {
    const prepare = async (driven: DrivenObject, purchase: Purchase) => {
      await driven.buy(purchase);
    };
    const use = async (driven: DrivenObject, purchase: Purchase) => {
      const nonce = { stripe: 'pm_card_chargeDeclined', braintree: declining.braintree }[gateway];
      const extra = { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null };
      const [owned] = driven.object().ownedSubscriptions();
      const id = owned?.subscription.attempt ?? attemptId('');
      const upgrade = { kind: 'upgrade', plan: 'quarterly_usd', months: 0 } as const;
      for (let card = 0; card < 5; card += 1) await sendCard(driven, cardRequest(purchase, nonce));
      const refused = { kind: 'refused', refusal: 'too_many_declines' };
      expect(await driven.run((object) => object.buy(extra))).toEqual(refused);
      const quote = await driven.run((object) => object.quoteChange(id, upgrade));
      if (quote.kind !== 'quoted') throw new Error(quote.kind);
      const { id: change } = quote.change;
      expect(await driven.run((object) => object.confirmChange(id, change))).toEqual(refused);
    };
    await owner(gateway, use, prepare);
  },
);

testAt(['stripe'], null, {
  async 'requires a renewing subscription, and happens at its gateway'(driven, purchase, fakes) {
    const foreign = cardRequest({ gateway: 'braintree' });
    expect(await driven.object().updateCard(foreign)).toEqual({
      kind: 'refused',
      refusal: 'gateway_unknown',
    });
    declineAllCards(fakes);
    const [owned] = driven.object().ownedSubscriptions();
    await driven.object().cancelSubscription(owned?.subscription.attempt ?? attemptId(''));
    await driven.runDueAlarms();
    expect(await driven.object().updateCard(cardRequest(purchase))).toEqual({
      kind: 'refused',
      refusal: 'card_not_needed',
    });
    expect(await driven.run((object) => object.card())).toBeNull();
  },
  async 'while the gateway is down the card of the last read is shown'(driven) {
    const card = { brand: 'Visa', last4: '4242', month: 12 };
    expect(await driven.run((object) => object.card())).toMatchObject({ card, due: 0 });
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('down')));
    expect(await driven.run((object) => object.card())).toMatchObject({ card, due: null });
  },
});
