import type { GatewayName } from '../../worker/payments/purchase/state.ts';
import type { Answer } from '../runtime/api.ts';

export interface Result {
  status: string;
  subscription_id: string | null;
  event_id: string;
  price_with_discount: string;
  customer_id: string | null;
  payment_intent_secret: string | null;
  payment_intent_id: string | null;
}

export interface RefusalBody {
  errors: { messages: string[]; code?: string };
  decline_code?: string | null;
  processor_response?: string | null;
  /** With `action_required`: the nonce to verify, and the amount as a decimal string. */
  payment_method_nonce?: string | null;
  validation_amount?: string | null;
  /** With `gateway_changed`: the provider that takes the payment now. */
  payment_gateway?: GatewayName;
}

export type Polled = Partial<RefusalBody> & { data?: { result_data: Result | RefusalBody | null } };

export interface Clock {
  wait(ms: number): Promise<void>;
  now(): number;
}

const timeoutMs = 120_000;

export class PollTimeoutError extends Error {}

const ambiguousCodes = ['unavailable', 'unexpected', 'product_api_failed'];

function isAmbiguous(error: unknown): boolean {
  const { code } = (error as Partial<RefusalBody>).errors ?? {};
  return (
    error instanceof Error ||
    !(error as Partial<RefusalBody>).errors ||
    ambiguousCodes.includes(code ?? '')
  );
}

/** Delay before the first poll, ms. */
export const firstPollDelayMs = 600;

/** Delay before a poll, ms: 600, then from 1000 up to 3000. */
function pollDelay(poll: number): number {
  return poll === 0 ? firstPollDelayMs : Math.min(3000, 1000 + (poll - 1) * 500);
}

/**
 * Polls until the attempt is challenged or final.
 * @returns null when the server has no result
 * @throws the server's refusal, or PollTimeoutError after 120 s; a network or server error counts as one lost poll
 */
export async function poll(
  fetchResult: () => Promise<Answer<Polled>>,
  { wait, now }: Clock,
): Promise<Result | RefusalBody | null> {
  const start = now();
  for (let polls = 0; ; polls += 1) {
    const delay = pollDelay(polls);
    if (now() + delay - start > timeoutMs) throw new PollTimeoutError();
    await wait(delay);
    const { status, body } = await fetchResult().catch((error) => {
      if (isAmbiguous(error)) return { status: 202, body: {} as Polled };
      throw error;
    });
    if (status === 202) continue;
    return body.errors ? (body as RefusalBody) : (body.data?.result_data ?? null);
  }
}
