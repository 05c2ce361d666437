import type { Env } from './env.ts';
import type { Attempt, GatewayName, Outcome, Step } from './funnel/purchase.ts';
import { type Ledger, orderOf } from './ledger.ts';
import { unclear } from './unclear.ts';
import { gatewayOf } from './vendors/gateways.ts';

/** Kept before anything is charged to it, so that a charge can always be found again. */
async function customerAt(name: GatewayName, ledger: Ledger, env: Env): Promise<string> {
  const { account = '', email = '' } = ledger.profile ?? {};
  const customerId = await gatewayOf(name, env).customer(account, email);
  const { profile } = ledger;
  if (profile) {
    const known = { ...profile.known, [name]: { customerId, methodId: null } };
    ledger.setProfile({ ...profile, known });
  }
  return customerId;
}

/** Has the gateway of an attempt do a step. What gives no answer is `unknown`; never throws. */
export async function ask(
  step: Extract<Step, 'charge' | 'lookUp' | 'settle'>,
  attempt: Attempt,
  ledger: Ledger,
  env: Env,
): Promise<Outcome> {
  const { profile } = ledger;
  if (!profile) return { kind: 'unknown' };
  try {
    const order = orderOf(attempt, profile);
    return await gatewayOf(attempt.gateway, env)[step]({
      ...order,
      customerId: order.customerId || (await customerAt(attempt.gateway, ledger, env)),
    });
  } catch (error) {
    unclear(error, { vendor: attempt.gateway, attempt: attempt.id });
    return { kind: 'unknown' };
  }
}
