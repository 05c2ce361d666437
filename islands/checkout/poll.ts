import type { Answer } from '../runtime/api.ts';

/** What the server tells of an attempt that is challenged or final. */
export interface Result {
  status: string;
  subscription_id: string | null;
  event_id: string;
  /** Decimal string. */
  price_with_discount: string;
  customer_id: string | null;
  payment_intent_secret: string | null;
  payment_intent_id: string | null;
}

/** Why an attempt ended badly. */
export interface Refusal {
  errors: { messages: string[]; code?: string };
  decline_code?: string | null;
  processor_response?: string | null;
  /** With 'User action required': what the payer has to verify, and the sum as decimal string. */
  payment_method_nonce?: string | null;
  validation_amount?: string | null;
}

export type Polled = Partial<Refusal> & { data?: { result_data: Result | Refusal | null } };

export interface Clock {
  wait(ms: number): Promise<void>;
  now(): number;
}

const limit = 120_000;

/** Answers that say nothing about the payment. */
const mute = ['unavailable', 'unexpected', 'product_api_failed'];

function isMute(error: unknown): boolean {
  const { code } = (error as Partial<Refusal>).errors ?? {};
  return error instanceof Error || !(error as Partial<Refusal>).errors || mute.includes(code ?? '');
}

/** The delay before the first poll, in ms. */
export const firstPoll = 600;

/** The delay before a poll, in ms: then 1 s growing to 3 s. */
function pollDelay(poll: number): number {
  return poll === 0 ? firstPoll : Math.min(3000, 1000 + (poll - 1) * 500);
}

/**
 * Polls until the answer is known.
 *
 * @returns null when the server tells nothing, `late` when it is not known after 120 s
 * @throws the server's refusal; a failure of the network or of the server is only one poll lost
 */
export async function poll(
  ask: () => Promise<Answer<Polled>>,
  { wait, now }: Clock,
): Promise<Result | Refusal | null | 'late'> {
  const start = now();
  for (let polls = 0; ; polls += 1) {
    const delay = pollDelay(polls);
    if (now() + delay - start > limit) return 'late';
    await wait(delay);
    const { status, body } = await ask().catch((error) => {
      if (isMute(error)) return { status: 202, body: {} as Polled };
      throw error;
    });
    if (status === 202) continue;
    return body.errors ? (body as Refusal) : (body.data?.result_data ?? null);
  }
}
