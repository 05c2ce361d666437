import { type Answer, errorCode, messageOf } from '../runtime/api.ts';
import { type Clock, type Polled, poll, type Refusal, type Result } from './poll.ts';

/** The body of a subscription call. */
export interface Order {
  gateway: 'stripe';
  payment_method_nonce?: string;
  payment_intent_id?: string;
  coupon?: string;
  user_data: Record<string, string>;
}

/** How a card challenge ended at the provider. */
export interface Confirmed {
  error?: { message?: string; code?: string; decline_code?: string };
}

/** The outside world of a purchase, injected so that a test can play it. */
export interface Tools extends Clock {
  /** Posts the subscription; tells the polling id. */
  start(order: Order): Promise<{ data: { polling_result_id: string } }>;
  ask(pollingId: string): Promise<Answer<Polled>>;
  /** Has the provider confirm a card payment, with a challenge if it asks for one. */
  confirm(secret: string): Promise<Confirmed>;
}

export interface Texts {
  network: string;
  unknown: string;
  checking: string;
  default: string;
  payment: string;
}

export type Outcome =
  | { is: 'paid'; id: string; event: string; price: string }
  /** `decline`: decline code, processor response or error code. */
  | { is: 'declined' | 'failed'; message: string; decline: string };

/** A challenge, and one more should the bank insist. */
const rounds = 3;

const failed = (message: string, decline = ''): Outcome => ({ is: 'failed', message, decline });

/** The sentence for an error: its own text, its message field, or `Payment error`. */
export function paymentMessage(error: unknown, texts: Texts): string {
  if (typeof error === 'string' && error) return error;
  const { message } = (error ?? {}) as { message?: unknown };
  return typeof message === 'string' && message ? message : texts.payment;
}

function refused(refusal: Refusal, texts: Texts): Outcome {
  return {
    is: errorCode(refusal) === 'card_declined' ? 'declined' : 'failed',
    message: messageOf(refusal) ?? texts.default,
    decline: refusal.decline_code ?? refusal.processor_response ?? errorCode(refusal) ?? '',
  };
}

function unconfirmed({ error }: Confirmed, texts: Texts): Outcome {
  return {
    is: error?.code === 'card_declined' ? 'declined' : 'failed',
    message: paymentMessage(error, texts),
    decline: error?.decline_code ?? error?.code ?? '',
  };
}

const isRefusal = (result: Result | Refusal): result is Refusal => 'errors' in result;

const paid = ({ subscription_id: id, event_id: event, price_with_discount: price }: Result) =>
  ({ is: 'paid', id: id ?? '', event, price }) as const;

const asks = ({ status, payment_intent_secret: secret }: Result) =>
  status === 'requires_action' && secret;

/**
 * Has the server read the intent after a challenge that failed here: it ends the attempt, so that
 * another card opens a new one, and it alone knows whether the money went through after all.
 */
async function settle(order: Order, tools: Tools, failure: Outcome): Promise<Outcome> {
  try {
    const { data } = await tools.start(order);
    const result = await poll(() => tools.ask(data.polling_result_id), tools);
    if (!result || result === 'late' || isRefusal(result) || asks(result)) return failure;
    return paid(result);
  } catch {
    return failure;
  }
}

async function run(order: Order, tools: Tools, texts: Texts): Promise<Outcome> {
  let wanted = order;
  for (let round = 0; round < rounds; round += 1) {
    const { data } = await tools.start(wanted);
    const result = await poll(() => tools.ask(data.polling_result_id), tools);
    if (result === 'late') return failed(`${texts.unknown}. ${texts.checking}`);
    if (!result) return failed(texts.unknown);
    if (isRefusal(result)) return refused(result, texts);
    const secret = asks(result);
    if (!secret) return paid(result);
    const confirmed = await tools.confirm(secret);
    wanted = { ...order, payment_intent_id: result.payment_intent_id ?? undefined };
    if (confirmed.error) return settle(wanted, tools, unconfirmed(confirmed, texts));
  }
  return failed(texts.unknown);
}

/**
 * Buys: posts the subscription, polls its result, has the card confirmed where that is asked, and
 * repeats the call with the intent. Never throws.
 */
export async function purchase(order: Order, tools: Tools, texts: Texts): Promise<Outcome> {
  try {
    return await run(order, tools, texts);
  } catch (error) {
    if (error && typeof error === 'object' && 'errors' in error) {
      return refused(error as Refusal, texts);
    }
    console.error(error);
    return failed(texts.network);
  }
}
