import type { Env } from '../../platform/env.ts';
import { logger, reasonOf } from '../../platform/log.ts';
import type { AccountId } from '../../platform/types.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { Attempt, GatewayName } from '../purchase/state.ts';

const log = logger();

/** Short, because a buyer waits for the response. */
const timeoutMs = 500;
/** A call without a response counts as failed after each such interval. */
const slowCallMs = 4_000;

const circuitOf = (env: Env, gateway: GatewayName) => env.GATEWAY_CIRCUITS.getByName(gateway);

/** Never throws: payments continue if a circuit does not respond. */
async function callCircuit<T>(
  vendor: GatewayName,
  call: () => Promise<T>,
  otherwise: T,
): Promise<T> {
  try {
    return await withTimeout(call(), timeoutMs);
  } catch (error) {
    log('warn', 'circuit_timeout', { vendor, reason: reasonOf(error) });
    return otherwise;
  }
}

export const admitsCharge = (gateway: GatewayName, env: Env): Promise<boolean> =>
  callCircuit(gateway, () => circuitOf(env, gateway).admitsCharge(), true);

export const admitsPage = (gateway: GatewayName, account: AccountId, env: Env): Promise<boolean> =>
  callCircuit(gateway, () => circuitOf(env, gateway).admitsPage(account), true);

/**
 * Reports to the circuit how a call went, and whether it is slow. Without another gateway it reports nothing, because
 * the attempt could not leave.
 * @param leave called when the circuit is open while the call is slow
 * @returns ends the watch; null when the result of the call does not concern the gateway
 */
export function watchCall(
  { gateway, others, isRerouted }: Attempt,
  env: Env,
  leave: () => void,
): (ok: boolean | null) => Promise<void> {
  if (others.length === 0 && !isRerouted) return async () => {};
  const startedAt = Date.now();
  const reportResult = (ok: boolean) =>
    callCircuit(
      gateway,
      async () => {
        const at = Date.now();
        return circuitOf(env, gateway).record(gateway, { ok, startedAt, at });
      },
      true,
    );
  const reportSlowCall = async () => {
    if (!(await reportResult(false))) leave();
  };
  const slow = setInterval(() => void reportSlowCall(), slowCallMs);
  return async (ok) => {
    clearInterval(slow);
    if (ok !== null) await reportResult(ok);
  };
}
