import { Unconfirmed } from './admin-client.ts';
import type { Context } from './context.ts';

/** Pauses between tries, in ms. */
const pauses = [1000, 4000];

/**
 * Sends a command whose key makes it one however often it arrives, until it is confirmed.
 *
 * @throws Unconfirmed after the third try
 */
export async function withRetries<T>(
  { wait }: Pick<Context, 'wait'>,
  send: () => Promise<T>,
): Promise<T> {
  for (const pause of pauses) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Unconfirmed)) throw error;
      await wait(pause);
    }
  }
  return send();
}
