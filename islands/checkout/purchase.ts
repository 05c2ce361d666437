import { interpolate } from '../../locales/format/interpolate.ts';
import { latin } from '../../locales/format/numerals.ts';
import { sentencesOf } from '../../locales/format/sentences.ts';
import type { BankMethod } from '../../worker/catalog/rules/bank-methods.ts';
import type { StripeWallet } from '../../worker/catalog/rules/stripe-wallets.ts';
import type { GatewayName } from '../../worker/payments/purchase/state.ts';
import { type Answer, errorCode } from '../runtime/api.ts';
import { refusalMessage } from '../runtime/refusal-message.ts';
import type { ChallengeWords } from '../vendors/bank-challenge.ts';
import {
  type Clock,
  type Polled,
  PollTimeoutError,
  poll,
  type RefusalBody,
  type Result,
} from './poll.ts';

export interface SubscribeRequest {
  gateway: GatewayName;
  payment_method?: 'card' | 'wallet' | BankMethod | StripeWallet;
  return_path?: string;
  payment_method_nonce?: string;
  /** Whether the buyer has just entered the method, so that it replaces one that the bank challenges. */
  is_entered?: boolean;
  payment_intent_id?: string;
  device_data?: string;
  coupon?: string;
  coupon_discount?: number;
  coupon_renewals?: number | undefined;
  terms_shown?: string;
  user_data: Record<string, unknown>;
}

/** A payment intent by its client secret, or a card by its nonce (empty when a new one is needed) and amount. */
export type CardChallenge =
  | { kind: 'intent'; secret: string }
  | { kind: 'card'; nonce: string; amount: string };

export interface Confirmed {
  error?: { message?: string; code?: string; decline_code?: string };
  nonce?: string;
}

export type Started = Partial<RefusalBody> & { data?: { polling_result_id: string } | Result };

export interface Dependencies extends Clock {
  start(request: SubscribeRequest): Promise<Started>;
  fetchResult(pollingId: string): Promise<Answer<Polled>>;
  confirm(challenge: CardChallenge): Promise<Confirmed>;
}

export interface PurchaseTexts {
  network: string;
  /** What to do after a lost connection. */
  lost: string;
  /** What to do where the server failed. */
  broken: string;
  after: string;
  unknown: string;
  checking: string;
  default: string;
  payment: string;
  /** What is said without a sentence of ours; a provider's own words are never shown. */
  failed: string;
  challenge: ChallengeWords;
}

export type PurchaseResult =
  /** Provisional while the debit is being processed. */
  | { kind: 'paid'; id: string; event: string; price: string; isProvisional: boolean }
  | { kind: 'declined' | 'failed'; message: string; detail?: string; decline: string }
  /** Another provider takes the payment, and needs the card or wallet again. */
  | { kind: 'rerouted'; gateway: GatewayName; message: string; detail?: string; decline: string };

const maxRounds = 3;

/** @param detail the specification's sentence, for small print */
const failed = (message: string, detail?: string): PurchaseResult => ({
  kind: 'failed',
  message,
  detail,
  decline: '',
});

/** Refusals whose last sentence says `in an hour`. */
const hourly = new Set(['too_many_declines', 'card_testing_protection']);

function withTime(message: string, after: string): string {
  const clock = { ...latin, hour: 'numeric', minute: '2-digit' } as const;
  const then = new Date(Date.now() + 3_600_000);
  const time = new Intl.DateTimeFormat(document.documentElement.lang, clock).format(then);
  const last = sentencesOf(message).at(-1) ?? '';
  return message.slice(0, message.length - last.length) + interpolate(after, { time });
}

function refused(refusal: RefusalBody, texts: PurchaseTexts): PurchaseResult {
  const code = errorCode(refusal);
  // It broke on the way, so whether the payment was made is not known.
  if (code === 'unexpected') return failed(texts.broken, refusalMessage(refusal));
  // Without a code the sentence is not ours; the one for a failure of the processor says nothing.
  const own = code ? refusalMessage(refusal) : undefined;
  const says = code !== 'payment_failed' && own;
  const reason = {
    message: (says && hourly.has(code ?? '') ? withTime(says, texts.after) : says) || texts.failed,
    detail: says ? undefined : (own ?? texts.default),
    decline: refusal.decline_code ?? refusal.processor_response ?? code ?? '',
  };
  const gateway = refusal.payment_gateway;
  if (code === 'gateway_changed' && gateway) return { kind: 'rerouted', gateway, ...reason };
  return { kind: code === 'card_declined' ? 'declined' : 'failed', ...reason };
}

function unconfirmedMessage({ error }: Confirmed, texts: PurchaseTexts): string {
  if (error?.code === 'challenge_closed') return texts.challenge.closed;
  if (error?.code === 'challenge_unavailable') return texts.challenge.unavailable;
  return texts.challenge.failed;
}

function unconfirmed({ error }: Confirmed, texts: PurchaseTexts): PurchaseResult {
  return {
    kind: error?.code === 'card_declined' ? 'declined' : 'failed',
    message: unconfirmedMessage({ error }, texts),
    decline: error?.decline_code ?? error?.code ?? '',
  };
}

const isRefusal = (result: Result | RefusalBody): result is RefusalBody => 'errors' in result;

const paid = ({ status, subscription_id: id, event_id: event, price_with_discount }: Result) => {
  const bought = { id: id ?? '', event, price: price_with_discount };
  return { kind: 'paid', ...bought, isProvisional: status === 'processing' } as const;
};

function challengeOf(
  result: Result | RefusalBody,
): { challenge: CardChallenge; retryFields: Partial<SubscribeRequest> } | null {
  if (!isRefusal(result)) {
    const { status, payment_intent_secret: secret, payment_intent_id: id } = result;
    if (status !== 'requires_action' || !secret) return null;
    return {
      challenge: { kind: 'intent', secret },
      retryFields: { payment_intent_id: id ?? undefined },
    };
  }
  const { payment_method_nonce: nonce, validation_amount: amount } = result;
  // An outside product has the specification's sentence, and no code of ours.
  const isAction =
    errorCode(result) === 'action_required' || refusalMessage(result) === 'User action required';
  if (!isAction || typeof nonce !== 'string' || !amount) return null;
  return { challenge: { kind: 'card', nonce, amount: String(amount) }, retryFields: {} };
}

async function submit(
  request: SubscribeRequest,
  dependencies: Dependencies,
): Promise<Result | RefusalBody | null> {
  const started = await dependencies.start(request);
  if (started.errors) return started as RefusalBody;
  const { data } = started;
  if (!data || !('polling_result_id' in data)) return data ?? null;
  return poll(() => dependencies.fetchResult(data.polling_result_id), dependencies);
}

async function reportFailedChallenge(
  request: SubscribeRequest,
  dependencies: Dependencies,
  failure: PurchaseResult,
  unknownOutcome: PurchaseResult,
): Promise<PurchaseResult> {
  if (!request.payment_intent_id) return failure;
  try {
    const result = await submit(request, dependencies);
    if (!result) return unknownOutcome;
    if (isRefusal(result) || challengeOf(result)) return failure;
    return paid(result);
  } catch {
    return unknownOutcome;
  }
}

async function run(
  request: SubscribeRequest,
  dependencies: Dependencies,
  texts: PurchaseTexts,
): Promise<PurchaseResult> {
  let current: SubscribeRequest = {
    ...request,
    is_entered: request.payment_method_nonce !== undefined,
  };
  for (let round = 0; round < maxRounds; round += 1) {
    const result = await submit(current, dependencies);
    if (!result) return failed(texts.unknown);
    const requiredAction = challengeOf(result);
    if (!requiredAction) return isRefusal(result) ? refused(result, texts) : paid(result);
    const { error, nonce = request.payment_method_nonce } = await dependencies.confirm(
      requiredAction.challenge,
    );
    current = { ...request, ...requiredAction.retryFields, payment_method_nonce: nonce };
    if (!error) continue;
    const failure = unconfirmed({ error }, texts);
    const isUnavailable = error.code === 'challenge_unavailable';
    const unknownOutcome = isUnavailable ? failed(texts.checking, texts.unknown) : failure;
    return reportFailedChallenge(current, dependencies, failure, unknownOutcome);
  }
  return failed(texts.unknown);
}

/** Repeats the call with the intent after a bank challenge. Never throws. */
export async function purchase(
  request: SubscribeRequest,
  dependencies: Dependencies,
  texts: PurchaseTexts,
): Promise<PurchaseResult> {
  try {
    return await run(request, dependencies, texts);
  } catch (error) {
    if (error instanceof PollTimeoutError) return failed(texts.checking, texts.unknown);
    if ((error as Partial<RefusalBody> | null)?.errors) return refused(error as RefusalBody, texts);
    console.error(error);
    return failed(texts.lost, texts.network);
  }
}
