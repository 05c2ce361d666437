import type { StripeError } from '@stripe/stripe-js';

/** Nested values as bracketed form fields, the way Stripe's interface takes them. */
export function encode(value: object, prefix = ''): [string, string][] {
  return Object.entries(value).flatMap(([name, inner]): [string, string][] => {
    const key = prefix ? `${prefix}[${name}]` : name;
    if (inner === undefined || inner === null) return [];
    return typeof inner === 'object' ? encode(inner, key) : [[key, String(inner)]];
  });
}

export type Answer = { object: object; error?: undefined } | { error: StripeError };

/** One call with the publishable key, as a simple request that needs no preflight. */
export async function request(
  api: string,
  key: string,
  method: 'GET' | 'POST',
  path: string,
  params: object,
): Promise<Answer> {
  const form = new URLSearchParams([...encode(params), ['key', key]]);
  try {
    const response =
      method === 'GET'
        ? await fetch(`${api}${path}?${form}`)
        : await fetch(`${api}${path}`, { method, body: form });
    const answer = await response.json();
    return response.ok ? { object: answer } : { error: answer.error };
  } catch {
    // https://docs.stripe.com/js: what Stripe.js says when its request gets no reply.
    const message =
      'We are experiencing issues connecting to our payments provider. You have not been charged. Please check your internet connection and try again. If the problem persists please contact us.';
    return { error: { type: 'api_connection_error', message } };
  }
}
