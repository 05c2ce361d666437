import type { World } from '../call.ts';
import { Invalid } from '../errors.ts';

const month = 30 * 24 * 60 * 60 * 1000;

/**
 * At most once: the same key gives the same object, as it is now, for 30 days; with other input it
 * is refused. developer.paypal.com/braintree/graphql/integration_guides/idempotency
 *
 * @param run does it, and tells the id of what came of it
 */
export function once(
  { state, now }: World,
  { apiRequestKey: key, ...input }: { apiRequestKey?: string },
  run: () => string,
): string {
  if (!key) return run();
  const asked = JSON.stringify(input);
  const known = state.requests[key];
  if (known && now() - known.at < month) {
    if (known.asked === asked) return known.id;
    const text = 'API request key can be reused only with the same request.';
    throw new Invalid('915232', 'apiRequestKey', text);
  }
  const id = run();
  state.requests[key] = { asked, id, at: now() };
  return id;
}
