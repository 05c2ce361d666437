import { Refused } from './errors.ts';
import type { SavedReply, StripeState } from './state.ts';

const DAY = 86_400;

/** Keys of calls under way; not part of the state, so a restart clears them. */
export type InFlight = Set<string>;

/**
 * What Stripe does with an idempotency key before it executes anything:
 * "saving the resulting status code and body of the first request made for any given idempotency key,
 * regardless of whether it succeeds or fails. Subsequent requests with the same key return the same
 * result, including 500 errors", pruned after 24 hours, an error where the parameters differ.
 * https://docs.stripe.com/api/idempotent_requests
 * @returns the saved reply to give again, if there is one
 */
export function recall(
  key: string,
  fingerprint: string,
  inFlight: InFlight,
  state: StripeState,
  now: number,
): SavedReply | undefined {
  if (key.length > 255) {
    throw new Refused(400, {
      type: 'idempotency_error',
      message: `Invalid idempotency key: Keys must be at most 255 characters long (got ${key.length}).`,
    });
  }
  if (inFlight.has(key)) {
    // https://docs.stripe.com/error-codes#idempotency-key-in-use
    throw new Refused(409, {
      type: 'invalid_request_error',
      code: 'idempotency_key_in_use',
      message:
        'There is currently another in-progress request using this Idempotent Key (that probably ' +
        'means you submitted twice, and the other request is still going through): ' +
        `${key}. Please try again later.`,
    });
  }
  const saved = state.idempotency[key];
  if (!saved) return undefined;
  if (now >= saved.created + DAY) {
    delete state.idempotency[key];
    return undefined;
  }
  if (saved.fingerprint === fingerprint) return saved;
  throw new Refused(400, {
    type: 'idempotency_error',
    message:
      'Keys for idempotent requests can only be used with the same parameters they were first ' +
      `used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  });
}

/** The same call with the same parameters, in whatever order, has the same fingerprint. */
export function fingerprintOf(method: string, path: string, params: object): string {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
  };
  return `${method} ${path} ${JSON.stringify(sorted(params))}`;
}
