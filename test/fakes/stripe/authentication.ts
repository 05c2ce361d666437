import { unauthorized } from './errors.ts';
import type { Params } from './form.ts';

export interface Keys {
  /** Accepted secret keys; any `sk_test_…` or `rk_test_…` when left out. */
  secret?: string[];
  /** Accepted publishable keys; any `pk_test_…` when left out. */
  publishable?: string[];
}

const redacted = (key: string) =>
  key.length > 12 ? `${key.slice(0, 8)}${'*'.repeat(key.length - 12)}${key.slice(-4)}` : key;

function keyOf(request: Request, params: Params): string {
  const header = request.headers.get('authorization') ?? '';
  if (/^bearer /i.test(header)) return header.slice(7).trim();
  if (/^basic /i.test(header)) return atob(header.slice(6)).split(':')[0] ?? '';
  // Stripe.js sends its publishable key in the form, which spares the browser a preflight.
  return typeof params.key === 'string' ? params.key : '';
}

/**
 * Who is calling; throws 401 without a key or with one that is not ours.
 * https://docs.stripe.com/api/authentication
 * @returns true for a publishable key: the caller is a browser
 */
export function authenticate(request: Request, params: Params, keys: Keys): boolean {
  const key = keyOf(request, params);
  if (key === '') {
    throw unauthorized(
      'You did not provide an API key. You need to provide your API key in the Authorization ' +
        "header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See " +
        'https://stripe.com/docs/api#authentication for details, or we can help at ' +
        'https://support.stripe.com/.',
    );
  }
  const isPublishable = keys.publishable?.includes(key) ?? /^pk_test_\w+$/.test(key);
  if (isPublishable) return true;
  const isSecret = keys.secret?.includes(key) ?? /^[sr]k_test_\w+$/.test(key);
  if (isSecret) return false;
  throw unauthorized(`Invalid API Key provided: ${redacted(key)}`);
}
