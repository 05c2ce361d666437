/** How long a call may take, its repetitions included, in ms. */
const patience = 20_000;
/** How often a call is repeated whose reply was lost, and how soon, in ms. */
const repetitions = 2;
const pause = 200;

/** Whether a call may be sent again when its reply was lost: not one that would move money twice. */
export type Sending = 'once' | 'repeatable';

/**
 * One call. A repeatable one without a reply is repeated.
 *
 * @throws fetch's own error for a call that stays without a reply
 */
export async function callBraintree(
  address: string,
  init: RequestInit,
  sending: Sending,
): Promise<Response> {
  const signal = AbortSignal.timeout(patience);
  for (let left = sending === 'once' ? 0 : repetitions; ; left -= 1) {
    try {
      return await fetch(address, { ...init, signal });
    } catch (error) {
      if (left === 0 || signal.aborted) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
