/** The object that a call is about. A saved method may be named by another of its names. */
const named = /\/v1\/(?!payment_methods\/)\w+\/(\w+_\w+)/;

/**
 * One call of the official client. An answer about another object than the one that was asked for is no
 * answer: the money may have moved all the same, so that nothing may be concluded from it.
 *
 * @throws TypeError for such an answer; fetch's own errors
 */
export async function callStripe(address: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(address, init);
  const [, asked] = named.exec(new URL(address).pathname) ?? [];
  if (!asked || !response.ok) return response;
  const told: unknown = await response.clone().json();
  const same = typeof told === 'object' && told !== null && 'id' in told && told.id === asked;
  if (!same) throw new TypeError('an answer about something else');
  return response;
}
