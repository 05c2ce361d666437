import type { Env } from './env.ts';
import type { Order } from './funnel/gateway.ts';
import {
  type Attempt,
  type GatewayName,
  type Outcome,
  type Progress,
  proceed,
  type Step,
} from './funnel/purchase.ts';
import { whyNotCharge } from './intro-limit.ts';
import type { Ledger, Profile } from './ledger.ts';
import { unclear } from './unclear.ts';
import { gatewayOf } from './vendors/gateways.ts';

/** The order of an attempt, with what its gateway knows the account by. */
export function orderOf(ledger: Ledger, attempt: Attempt, profile: Profile): Order {
  const { account, email, known } = profile;
  const { customerId = '', methodId = null } = known[attempt.gateway] ?? {};
  const record = (progress: Progress) =>
    ledger.save(proceed(ledger.attempt(attempt.id) ?? attempt, progress), account, Date.now());
  return { attempt, account, email, customerId, methodId, record };
}

const rejected = (reason: string): Outcome => ({ kind: 'rejected', reason });

/** Kept before anything is charged to it, so that a charge can always be found again. */
async function customerAt(name: GatewayName, ledger: Ledger, env: Env) {
  const { account = '', email = '' } = ledger.profile ?? {};
  const customerId = await gatewayOf(name, env).customer(account, email);
  const { profile } = ledger;
  if (profile && customerId) {
    const known = { ...profile.known, [name]: { customerId, methodId: null } };
    ledger.setProfile({ ...profile, known });
  }
  return customerId;
}

type Asked = Extract<Step, 'charge' | 'lookUp' | 'settle'>;

async function answer(step: Asked, attempt: Attempt, profile: Profile, ledger: Ledger, env: Env) {
  const order = orderOf(ledger, attempt, profile);
  const gateway = gatewayOf(attempt.gateway, env);
  // Nothing is ever charged to a customer that is not known here.
  if (!order.customerId && step === 'lookUp') return { kind: 'none' } as const;
  if (!order.customerId && step === 'settle') return rejected('never sent');
  const customerId = order.customerId || (await customerAt(attempt.gateway, ledger, env));
  if (!customerId) return rejected('customer refused');
  const refusal = step === 'charge' ? await whyNotCharge(attempt, gateway, ledger, env) : null;
  if (refusal) {
    // With another card an earlier send of this attempt may have been paid all the same.
    const sent = attempt.challengedAt !== null;
    const settled = sent ? await gateway.settle({ ...order, customerId }) : null;
    if (settled && settled.kind !== 'rejected') return settled;
    const reason = refusal === 'intro_used' ? 'intro used' : 'full price only';
    return { kind: 'rejected', reason, refusal } as const;
  }
  const outcome = await gateway[step]({ ...order, customerId });
  const no = outcome.kind === 'declined' || outcome.kind === 'rejected';
  // A look changes nothing; only what is settled is never paid later.
  return step === 'lookUp' && no ? gateway.settle({ ...order, customerId }) : outcome;
}

/** Has the gateway of an attempt do a step. What gives no answer is `unknown`; never throws. */
export async function ask(
  step: Asked,
  attempt: Attempt,
  ledger: Ledger,
  env: Env,
): Promise<Outcome> {
  const { profile } = ledger;
  if (!profile) return { kind: 'unknown' };
  try {
    return await answer(step, attempt, profile, ledger, env);
  } catch (error) {
    unclear(error, { vendor: attempt.gateway, attempt: attempt.id });
    return { kind: 'unknown' };
  }
}
