import { decimal } from '../../../../locales/format/currency.ts';
import type { Currency } from '../../../catalog/rules/currencies.ts';
import { minuteMs } from '../../../platform/durations.ts';
import type { Env } from '../../../platform/env.ts';
import { type AccountId, minor, sumOf } from '../../../platform/types.ts';
import type { Card, CardUpdate, PayOutcome, VerifyOutcome } from '../../purchase/card-update.ts';
import type { CardGateway, CardOrder } from '../card-gateway.ts';
import {
  BraintreeAmbiguousError,
  type BraintreeConfig,
  braintreeCredentials,
  rest,
} from './client.ts';
import { authenticationFailed, declineOf, verificationRequired } from './outcome.ts';
import { capturedStatus } from './statement.ts';
import { type BraintreeSubscription, readSubscription } from './subscription.ts';
import { chargeReadiness, isChallengedCard } from './three-d-secure.ts';
import { childOf, textOf, type Xml } from './xml.ts';

/** If the subscription shows no retried charge this long after it was sent, there was none. */
const retryDelayMs = 5 * minuteMs;
const alreadyCanceled = '81901';

const elements = ['credit-card', 'paypal-account', 'apple-pay-card', 'android-pay-card'];

const methodIn = (body: Xml) =>
  elements.map((name) => childOf(body, name)).find((method) => method !== undefined);

function cardOf(method: Xml): Card {
  const isPayPal = textOf(method, 'email') !== '';
  return {
    brand: isPayPal ? 'PayPal' : textOf(method, 'card-type').replace('MasterCard', 'Mastercard'),
    last4: textOf(method, 'last-4') || textOf(method, 'virtual-card-last-4'),
    month: Number(textOf(method, 'expiration-month')) || null,
    year: Number(textOf(method, 'expiration-year')) || null,
  };
}

export async function readMethod(config: BraintreeConfig, token: string): Promise<Xml | undefined> {
  const reply = await rest(config, `GET /payment_methods/any/${encodeURIComponent(token)}`);
  if (reply.kind === 'refused') throw new BraintreeAmbiguousError(`method ${reply.codes}`);
  return reply.kind === 'done' ? methodIn(reply.body) : undefined;
}

export interface NewMethod {
  account: AccountId;
  currency: Currency;
  update: Pick<CardUpdate, 'id' | 'nonce' | 'deviceData' | 'challengedAt'>;
}

function saved({ update, account }: NewMethod, method: Xml): VerifyOutcome {
  const methodId = textOf(method, 'global-id');
  const isOurs = textOf(method, 'token') === update.id && textOf(method, 'customer-id') === account;
  if (!isOurs || !methodId) throw new BraintreeAmbiguousError('method of somebody else');
  return { kind: 'saved', methodId, card: cardOf(method) };
}

const challenge = (nonce: string): VerifyOutcome => ({
  kind: 'challenge',
  intentId: null,
  secret: nonce,
});

/**
 * Creates the method under the update's id, so that a repeated call is refused and finds it
 * (developer.paypal.com/braintree/docs/reference/request/payment-method/create: `token`, `verify_card`).
 */
export async function vault(config: BraintreeConfig, order: NewMethod): Promise<VerifyOutcome> {
  const { update, currency } = order;
  const reply = await rest(config, 'POST /payment_methods', {
    payment_method: {
      customer_id: order.account,
      token: update.id,
      payment_method_nonce: update.nonce,
      ...(update.deviceData && { device_data: update.deviceData }),
      options: {
        make_default: true,
        verify_card: true,
        verification_merchant_account_id: config.merchantAccount(currency),
      },
    },
  });
  if (reply.kind === 'missing') throw new BraintreeAmbiguousError('http 404');
  const method = reply.kind === 'done' ? methodIn(reply.body) : await readMethod(config, update.id);
  if (method) return saved(order, method);
  if (reply.kind === 'done') throw new BraintreeAmbiguousError('no method');
  const verification = childOf(reply.body, 'api-error-response', 'verification');
  if (!verification) return { kind: 'rejected' };
  const code = textOf(verification, 'processor-response-code');
  if (code === verificationRequired && update.challengedAt === null) return challenge('');
  if (textOf(verification, 'gateway-rejection-reason') === 'cvv') return declineOf('2010', 'CVV');
  return declineOf(code, textOf(verification, 'processor-response-text'));
}

function cancelIfRefused(charge: BraintreeSubscription['charges'][number]): PayOutcome {
  return capturedStatus.test(charge.status)
    ? { kind: 'nothing_due' }
    : declineOf(charge.processorCode, charge.processorText);
}

const isDue = ({ status, balance }: BraintreeSubscription) => status === 'Past Due' && balance > 0;

/** "Subscription: Retry Charge", sent once. Braintree refuses it for a subscription that is not past due (91531). */
async function payOne(config: BraintreeConfig, order: CardOrder, id: string): Promise<PayOutcome> {
  const read = async () => {
    const subscription = await readSubscription(config, id);
    if (!subscription) throw new BraintreeAmbiguousError('no subscription');
    return subscription;
  };
  const before = await read();
  if (!isDue(before)) return { kind: 'nothing_due' };
  const sent = order.update.sentPayments[id];
  const [newest] = before.charges;
  if (sent && newest && newest.id !== sent.newest) return cancelIfRefused(newest);
  if (sent && Date.now() - sent.at < retryDelayMs) return { kind: 'unknown' };
  order.markPaymentSent(id, newest?.id ?? null);
  const transaction = {
    type: 'sale',
    amount: decimal(before.balance, before.currency),
    subscription_id: id,
    options: { submit_for_settlement: true },
  };
  const reply = await rest(config, 'POST /transactions', { transaction }, 'once');
  const after = await read();
  if (!isDue(after)) return { kind: 'nothing_due' };
  const [made] = after.charges;
  if (made && made.id !== newest?.id) return cancelIfRefused(made);
  const isRefused = reply.kind === 'refused' && reply.codes.length > 0;
  return isRefused ? declineOf('', reply.codes.join(' ')) : { kind: 'unknown' };
}

export function braintreeCards(env: Env): CardGateway {
  const config = braintreeCredentials(env);

  return {
    async billing(subscriptionIds) {
      const subscriptions = [];
      for (const id of subscriptionIds) {
        const subscription = await readSubscription(config, id);
        if (!subscription) throw new BraintreeAmbiguousError('no subscription');
        subscriptions.push(subscription);
      }
      const [first] = subscriptions;
      const method = first && (await readMethod(config, first.token));
      return {
        card: method ? cardOf(method) : null,
        due: sumOf(subscriptions.filter(isDue).map(({ balance }) => ({ amount: minor(balance) }))),
      };
    },

    async verify(order) {
      const { nonce, challengedAt } = order.update;
      if (!(await isChallengedCard(config, order.update))) return authenticationFailed;
      const ready = await chargeReadiness(config, nonce);
      if (ready === 'failed') return authenticationFailed;
      if (ready === 'verify')
        return challengedAt === null ? challenge(nonce) : authenticationFailed;
      return vault(config, order);
    },

    async setDefault({ update, subscriptionIds }) {
      for (const id of subscriptionIds) {
        const reply = await rest(config, `PUT /subscriptions/${encodeURIComponent(id)}`, {
          // With proration a past due subscription would be charged by this change already.
          subscription: { payment_method_token: update.id, options: { prorate_charges: false } },
        });
        const isEnded = reply.kind === 'refused' && reply.codes.includes(alreadyCanceled);
        if (reply.kind !== 'done' && !isEnded) {
          throw new BraintreeAmbiguousError(`subscription ${reply.kind}`);
        }
      }
    },

    async pay(order) {
      for (const id of order.subscriptionIds) {
        const outcome = await payOne(config, order, id);
        if (outcome.kind !== 'nothing_due') return outcome;
      }
      return { kind: 'nothing_due' };
    },

    lookUpPayment: async () => ({ kind: 'unknown' }),
  };
}
