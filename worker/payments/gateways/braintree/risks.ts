import { dayMs } from '../../../platform/durations.ts';
import type { Env } from '../../../platform/env.ts';
import { paymentIdOf } from '../../../platform/types.ts';
import type { Dispute, DisputeState, Risks } from '../../purchase/risks.ts';
import { BraintreeAmbiguousError, braintreeCredentials, rest } from './client.ts';
import { minorUnits } from './outcome.ts';
import { isRetrieval } from './statement.ts';
import { listOf, textOf, type Xml } from './xml.ts';

/** Cardholders dispute up to 120 days after a payment, and an answer is due in weeks. */
const disputeDays = 180;

const endOfDay = (day: string): number | null => {
  const ms = Date.parse(`${day}T23:59:59Z`);
  return Number.isFinite(ms) ? ms : null;
};

/** developer.paypal.com/braintree/docs/reference/response/dispute#status; accepted and expired ones are lost too. */
const states: Record<string, DisputeState> = {
  open: 'open',
  disputed: 'answered',
  under_review: 'answered',
  won: 'won',
};

const disputeOf = (dispute: Xml, currency = textOf(dispute, 'currency-iso-code')): Dispute => ({
  id: textOf(dispute, 'id'),
  paymentId: paymentIdOf(textOf(dispute, 'transaction', 'id')),
  amount: minorUnits(textOf(dispute, 'amount-disputed'), currency),
  currency,
  reason: textOf(dispute, 'reason'),
  dueAt: endOfDay(textOf(dispute, 'reply-by-date')),
  openedAt: Date.parse(`${textOf(dispute, 'received-date')}T00:00:00Z`) || 0,
  state: states[textOf(dispute, 'status')] ?? (isRetrieval(dispute) ? 'won' : 'lost'),
});

/** developer.paypal.com/braintree/docs/reference/request/dispute/search. Braintree has no early fraud warnings. */
export async function braintreeRisks(env: Env, now: number): Promise<Risks> {
  const config = braintreeCredentials(env);
  const disputes = new Map<string, Dispute>();
  const since = new Date(now - disputeDays * dayMs).toISOString().slice(0, 10);
  // The page after the last one is empty.
  for (let page = 1; ; page += 1) {
    const reply = await rest(config, `POST /disputes/advanced_search?page=${page}`, {
      search: { received_date: { min: since } },
    });
    if (reply.kind !== 'done') throw new BraintreeAmbiguousError(`disputes ${reply.kind}`);
    const known = disputes.size;
    for (const one of listOf(reply.body, 'disputes').map((one) => disputeOf(one)))
      disputes.set(one.id, one);
    if (disputes.size === known) return { disputes: [...disputes.values()], warnings: [] };
  }
}
