import type { DurableObjectStub } from '@cloudflare/workers-types';
import type { Context } from 'hono';
import { decimal } from '../catalog/plans.ts';
import { translationsFor } from '../content/translations.ts';
import type { App } from '../env.ts';
import { type ErrorCode, Refusal } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import type { Purchases } from './purchases-object.ts';
import { type Attempt, isFinal } from './rules/attempt.ts';
import { shownDecline, shownResponse } from './rules/decline-codes.ts';

/** The response for an attempt that is challenged or final. */
export function answerOf(attempt: Attempt, c: Context<App>) {
  const { id, state, charge, paymentId, secret } = attempt;
  if (state === 'declined') {
    return {
      ...errors('card_declined', c),
      decline_code: shownDecline(attempt.declineCode),
      processor_response: shownResponse(attempt.declineCode, attempt.processorResponse),
    };
  }
  if (state === 'failed') return errors(attempt.refusal ?? 'payment_failed', c);
  if (state === 'challenged' && attempt.gateway === 'braintree') {
    return {
      errors: { code: 'action_required', messages: ['User action required'] },
      payment_method_nonce: secret,
      validation_amount: decimal(attempt.amount),
    };
  }
  return {
    data: {
      status: state === 'active' ? 'active' : 'requires_action',
      data: null,
      subscription_id: charge?.subscriptionId ?? null,
      event_id: id,
      price_with_discount: decimal(charge?.amount ?? attempt.amount),
      customer_id: charge?.customerId ?? null,
      payment_intent_id: charge?.paymentId ?? paymentId,
      payment_intent_secret: secret,
    },
  };
}

const errors = (code: ErrorCode, c: Context<App>) => ({
  errors: { code, messages: [translationsFor(c.var.visitor.language).errors(code)] },
});

function idOf({ env: { PURCHASES } }: Context<App>, object: string) {
  try {
    return PURCHASES.idFromString(object);
  } catch {
    throw new Refusal('unknown_poll');
  }
}

function stubOf(c: Context<App>, pollingId: string): DurableObjectStub<Purchases> {
  const [object = '', secret = ''] = pollingId.split('.');
  if (!/^[\da-f]{64}$/.test(object) || !/^[\da-f]{32}$/.test(secret))
    throw new Refusal('unknown_poll');
  return c.env.PURCHASES.get(idOf(c, object));
}

/** 202 until the attempt is challenged or final. */
export const pollResult = createHandlers(async (c) => {
  const pollingId = c.req.param('id') ?? '';
  const attempt = await stubOf(c, pollingId).result(pollingId);
  if (!attempt) throw new Refusal('unknown_poll');
  const noStore = { 'cache-control': 'no-store' };
  const known = isFinal(attempt.state) || attempt.state === 'challenged';
  if (!known) return c.json({ data: { result_data: null } }, 202, noStore);
  const answer = answerOf(attempt, c);
  const body = 'data' in answer ? { data: { result_data: answer.data } } : answer;
  return c.json(body, 200, noStore);
});
