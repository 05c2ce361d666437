import type { Context } from 'hono';
import { decimal } from '../../../locales/format/currency.ts';
import { currencyOfPlan } from '../../catalog/rules/catalog.ts';
import { translationsFor } from '../../content/translations.ts';
import type { App } from '../../platform/env.ts';
import type { ErrorCode } from '../../platform/errors.ts';
import { sleep } from '../../platform/with-timeout.ts';
import { isFinal } from '../purchase/attempt.ts';
import { gatewayTraits } from '../purchase/gateway-traits.ts';
import type { AttemptAnswer } from '../storage/stored-records.ts';
import { shownDecline, shownResponse } from '../subscriptions/rules/purchase-view.ts';

export type Wrap = (data: object) => object;

/** The body for an attempt that is challenged or final; `wrap` puts the data into its envelope. */
export function answerOf(attempt: AttemptAnswer, c: Context<App>, wrap: Wrap) {
  const { id, state, charge, paymentId, secret } = attempt;
  const { currency = currencyOfPlan(attempt.plan) ?? 'USD' } = attempt;
  if (state === 'declined') {
    return {
      ...errorBody('card_declined', c),
      decline_code: shownDecline(attempt.declineCode),
      processor_response: shownResponse(attempt.declineCode, attempt.processorResponse),
    };
  }
  if (state === 'rerouted')
    return { ...errorBody('gateway_changed', c), payment_gateway: attempt.gateway };
  if (state === 'failed') return errorBody(attempt.refusal ?? 'payment_failed', c);
  if (state === 'challenged' && gatewayTraits[attempt.gateway].verifiesBeforeCharge) {
    return {
      errors: { code: 'action_required', messages: ['User action required'] },
      payment_method_nonce: secret,
      validation_amount: decimal(attempt.amount, currency),
    };
  }
  return wrap({
    status: state === 'challenged' ? 'requires_action' : state,
    data: null,
    subscription_id: charge?.subscriptionId ?? null,
    event_id: id,
    price_with_discount: decimal(charge?.amount ?? attempt.amount, currency),
    customer_id: charge?.customerId ?? null,
    payment_intent_id: charge?.paymentId ?? paymentId,
    payment_intent_secret: secret,
  });
}

export const errorBody = (code: ErrorCode, c: Context<App>) => ({
  errors: { code, messages: [translationsFor(c.var.visitor.language).errors(code)] },
});

/** Whether the page has something to do or display. */
export const isKnown = ({ state }: AttemptAnswer) =>
  isFinal(state) || ['challenged', 'rerouted', 'processing'].includes(state);

const pollIntervalMs = 250;

/** Reads again until the result is known or the time is over. @returns the last result */
export async function awaitKnown<T>(
  read: () => Promise<T>,
  known: (result: T) => boolean,
  timeoutMs: number,
) {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const result = await read();
    if (known(result) || Date.now() > end) return result;
    await sleep(pollIntervalMs);
  }
}
