import { orderOf } from './asking.ts';
import type { Env } from './env.ts';
import { movementOf, netted } from './funnel/counter-rows.ts';
import type { Order } from './funnel/gateway.ts';
import { planById } from './funnel/plans.ts';
import { isFinal } from './funnel/purchase.ts';
import { type Entry, entriesOf, type Line, sideBySide } from './funnel/reckoning.ts';
import type { Ledger, Profile } from './ledger.ts';
import { unclear } from './unclear.ts';
import { gatewayOf } from './vendors/gateways.ts';

/** An account's money: every movement, and those of which D1 has not seen all yet. */
export interface Reckoning {
  lines: Line[];
  pending: string[];
  /** Attempts whose gateway did not answer. */
  unread: string[];
}

/** What a gateway took for an attempt that we think it took nothing for. */
async function takenFor(order: Order, profile: Profile, env: Env): Promise<Entry[]> {
  const { attempt } = order;
  if (!profile.known[attempt.gateway]) return [];
  const outcome = await gatewayOf(attempt.gateway, env).lookUp(order);
  if (outcome.kind === 'rejected' && outcome.undone) {
    return entriesOf(attempt.id, { ...outcome.undone, disputes: [] });
  }
  const taken =
    outcome.kind === 'active'
      ? outcome.charge
      : outcome.kind === 'rejected'
        ? outcome.taken
        : undefined;
  if (!taken) return [];
  return [{ id: `capture:${taken.paymentId}`, attempt: attempt.id, amount: taken.amount }];
}

/** What a gateway says now of an attempt's money; null when it does not answer. */
async function providerOf(order: Order, profile: Profile, env: Env): Promise<Entry[] | null> {
  const { id, gateway, state } = order.attempt;
  try {
    return state === 'active'
      ? entriesOf(id, await gatewayOf(gateway, env).statement(order))
      : await takenFor(order, profile, env);
  } catch (error) {
    unclear(error, { vendor: gateway, attempt: id });
    return null;
  }
}

/** Lays the ledger beside what the gateways say now, and changes neither. */
export async function reckon(ledger: Ledger, env: Env): Promise<Reckoning> {
  const { profile } = ledger;
  if (!profile) return { lines: [], pending: [], unread: [] };
  const lines: Line[] = [];
  const unread: string[] = [];
  for (const attempt of ledger.attempts()) {
    const { id, gateway, plan, state } = attempt;
    if (!isFinal(state)) continue;
    const provider = await providerOf(orderOf(ledger, attempt, profile), profile, env);
    if (!provider) {
      unread.push(id);
      continue;
    }
    const own = netted(ledger.rows().filter((row) => row.attempt === id));
    const currency = planById(plan)?.currency ?? '';
    lines.push(...sideBySide({ attempt: id, gateway, currency }, own, provider));
  }
  return { lines, pending: ledger.unseenRows().map(movementOf), unread };
}
