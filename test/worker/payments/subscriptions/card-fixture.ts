import { vi } from 'vitest';
import type { Purchase } from '../../../../worker/payments/attempts/purchase-request.ts';
import {
  type CardUpdate,
  isFinalUpdate,
} from '../../../../worker/payments/purchase/card-update.ts';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import { minor } from '../../../../worker/platform/types.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import type { DrivenObject } from '../attempts/driven-object.ts';
import { nonceOfCard } from '../gateways/braintree/braintree-fixture.ts';
import { dayMs, type stubGateways } from '../payments-fixture.ts';

type Fakes = ReturnType<typeof stubGateways>;

/** All existing cards are declined from now on. */
export function declineAllCards({ stripe, braintree }: Fakes): void {
  for (const id of Object.keys(stripe.state.cards))
    stripe.state.cards[id] = 'pm_card_chargeCustomerFail';
  for (const token of Object.keys(braintree.state.methods)) braintree.decline(token, '2001');
}

/** All existing cards are accepted from now on. */
export function acceptAllCards({ stripe, braintree }: Fakes): void {
  for (const id of Object.keys(stripe.state.cards)) stripe.state.cards[id] = 'pm_card_visa';
  for (const token of Object.keys(braintree.state.methods)) braintree.decline(token, '1000');
}

export async function passOneMonth({ stripe, braintree }: Fakes): Promise<void> {
  vi.setSystemTime(Date.now() + 32 * dayMs);
  stripe.passTime();
  await braintree.passTime();
}

/** Buys the monthly plan, whose first renewal then fails. */
export async function becomePastDue(
  driven: DrivenObject,
  purchase: Purchase,
  fakes: Fakes,
): Promise<void> {
  await driven.buy(purchase);
  declineAllCards(fakes);
  await passOneMonth(fakes);
  await driven.run((object) => object.sync());
}

/** A card other than the first, of the gateway's published ones. */
export const newCards: Record<GatewayName, { nonce: string; last4: string }> = {
  stripe: { nonce: 'pm_card_mastercard', last4: '4444' },
  braintree: { nonce: 'fake-valid-mastercard-nonce', last4: '4444' },
};

export const challengedCards: Record<GatewayName, (fakes: Fakes) => Promise<string>> = {
  stripe: async () => 'pm_card_authenticationRequired',
  braintree: ({ braintree }) => nonceOfCard(braintree, '4000000000001091'),
};

export const cardRequest = (
  { gateway }: Pick<Purchase, 'gateway'>,
  nonce = newCards[gateway].nonce,
  agreed = 3999,
) => ({
  key: crypto.randomUUID() as string,
  gateway,
  nonce,
  deviceData: null,
  agreed: minor(agreed),
  cardCounterNames: [],
});

type Request = ReturnType<typeof cardRequest>;

export function cardUpdateOf(driven: DrivenObject, key: string): CardUpdate {
  const update = driven.object().cardUpdate(key);
  if (!update) throw new Error(key);
  return update;
}

/** Sends a new card, and runs everything that is due for it until it is challenged or final. */
export async function sendCard(driven: DrivenObject, request: Request): Promise<CardUpdate> {
  await driven.run((object) => object.updateCard(request));
  for (let passes = 0; passes < 1000; passes += 1) {
    await driven.passTime(5000);
    const update = cardUpdateOf(driven, request.key);
    if (update.state === 'challenged' || isFinalUpdate(update)) return update;
  }
  throw new Error('the update never ends');
}

/** Answers the bank's challenge, as often as it occurs. */
export async function answerBank(
  driven: DrivenObject,
  request: Request,
  { stripe, braintree }: Fakes,
  how: 'authenticated' | 'failed' = 'authenticated',
): Promise<CardUpdate> {
  let update = cardUpdateOf(driven, request.key);
  while (update.state === 'challenged') {
    let { nonce } = request;
    if (update.gateway === 'stripe') stripe.challenge(update.intentId ?? '', how);
    else nonce = (await verify(braintree, update.secret?.split('#')[0] ?? '', how)) ?? nonce;
    update = await sendCard(driven, { ...request, nonce });
  }
  return update;
}

async function verify(
  braintree: Fakes['braintree'],
  nonce: string,
  how: 'authenticated' | 'failed',
): Promise<string | undefined> {
  const api = `https://api.sandbox.braintreegateway.com/merchants/fake_merchant/client_api/v1/payment_methods/${nonce}/three_d_secure`;
  const post = async (step: string, body: object) => {
    const response = await braintree.fetch(`${api}/${step}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    return (await response.json()) as {
      lookup?: { md: string };
      paymentMethod?: { nonce: string };
    };
  };
  const jwt = (await post('lookup', { amount: '0.00' })).lookup?.md ?? '';
  const open = braintree.state.lookups[jwt];
  if (!open) return undefined;
  open.outcome = how;
  return (await post('authenticate_from_jwt', { jwt })).paymentMethod?.nonce;
}

/** The gateway's default cards by their last digits: the customer's and the subscription's. */
export function defaultsOf({ stripe, braintree }: Fakes): string[] {
  const { customers, subscriptions, payment_methods: methods } = stripe.state;
  const last4 = (id: unknown) => methods[String(id)]?.card?.last4 ?? '';
  return [
    ...Object.values(customers).map((one) => last4(one.invoice_settings.default_payment_method)),
    ...Object.values(subscriptions).map((one) => last4(one.default_payment_method)),
    ...Object.values(braintree.state.methods).flatMap(({ isDefault, card }) =>
      isDefault ? [card.last4] : [],
    ),
    ...Object.values(braintree.state.subscriptions).map(
      ({ token }) => braintree.state.methods[token]?.card.last4 ?? '',
    ),
  ];
}

export const paying = (gateway: GatewayName) => ({ gateway, nonce: approved[gateway] });
