/** How long a call may take, its repetitions included, in ms. */
const patience = 20_000;
/** How often a call is repeated whose reply was lost, and how soon, in ms. */
const repetitions = 2;
const pause = 200;

/**
 * One call. One without a reply is repeated: each of ours may be, because it reads, or carries a key
 * or an id of its own.
 *
 * @throws fetch's own error for a call that stays without a reply
 */
export async function callBraintree(address: string, init: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(patience);
  for (let left = repetitions; ; left -= 1) {
    try {
      return await fetch(address, { ...init, signal });
    } catch (error) {
      if (left === 0 || signal.aborted) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
