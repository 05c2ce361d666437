import type { Env } from '../env.ts';
import { logger } from '../log.ts';
import type { Attempt, GatewayName } from './rules/attempt.ts';

const log = logger();

/** A buyer waits for the answer. */
const timeoutMs = 500;
/** A call counts as failed whenever it has had no answer for so long again. */
const slowCallMs = 4_000;

const circuitOf = (env: Env, gateway: GatewayName) => env.GATEWAY_CIRCUITS.getByName(gateway);

/** Never throws: payments continue if a circuit does not answer. */
async function ask<T>(vendor: GatewayName, call: () => Promise<T>, otherwise: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DOMException('', 'TimeoutError')), timeoutMs);
  });
  try {
    return await Promise.race([call(), timeout]);
  } catch (error) {
    log('warn', 'circuit_timeout', { vendor, reason: error instanceof Error ? error.name : '' });
    return otherwise;
  } finally {
    clearTimeout(timer);
  }
}

export const admitsCharge = (gateway: GatewayName, env: Env): Promise<boolean> =>
  ask(gateway, () => circuitOf(env, gateway).admitsCharge(), true);

export const admitsPage = (gateway: GatewayName, account: string, env: Env): Promise<boolean> =>
  ask(gateway, () => circuitOf(env, gateway).admitsPage(account), true);

/**
 * Tells the circuit how a call went, and that it is slow. Only where there is another gateway: else nothing
 * would come of it.
 *
 * @param leave called when the circuit is found open while the call is slow
 * @returns ends the watch; null when the call says nothing about the gateway
 */
export function watchCall(
  { gateway, others, isRerouted }: Attempt,
  env: Env,
  leave: () => void,
): (ok: boolean | null) => Promise<void> {
  if (others.length === 0 && !isRerouted) return async () => {};
  const startedAt = Date.now();
  const tell = (ok: boolean) =>
    ask(
      gateway,
      async () => {
        const at = Date.now();
        return circuitOf(env, gateway).record(gateway, { ok, startedAt, at });
      },
      true,
    );
  const tellSlow = async () => {
    if (!(await tell(false))) leave();
  };
  const slow = setInterval(() => void tellSlow(), slowCallMs);
  return async (ok) => {
    clearInterval(slow);
    if (ok !== null) await tell(ok);
  };
}
