import type { Env } from '../../../env.ts';
import { paymentIdOf } from '../../../types.ts';
import type { OpenDispute, Risks } from '../../rules/risks.ts';
import { BraintreeAmbiguousError, braintreeCredentials, rest } from './client.ts';
import { minorUnits } from './outcome.ts';
import { listOf, textOf, type Xml } from './xml.ts';

/** More pages than anybody answers in time; an empty page ends the search. */
const maxPages = 20;

const endOfDay = (day: string): number | null => {
  const ms = Date.parse(`${day}T23:59:59Z`);
  return Number.isFinite(ms) ? ms : null;
};

const disputeOf = (dispute: Xml, currency = textOf(dispute, 'currency-iso-code')): OpenDispute => ({
  id: textOf(dispute, 'id'),
  paymentId: paymentIdOf(textOf(dispute, 'transaction', 'id')),
  amount: minorUnits(textOf(dispute, 'amount-disputed'), currency),
  currency,
  reason: textOf(dispute, 'reason'),
  dueAt: endOfDay(textOf(dispute, 'reply-by-date')),
});

/**
 * developer.paypal.com/braintree/docs/reference/request/dispute/search, asked as the official client asks.
 * Braintree has no early fraud warnings.
 */
export async function braintreeRisks(env: Env): Promise<Risks> {
  const account = braintreeCredentials(env);
  const disputes = new Map<string, OpenDispute>();
  for (let page = 1; page <= maxPages; page += 1) {
    const reply = await rest(account, 'POST', `/disputes/advanced_search?page=${page}`, {
      search: { status: ['open'] },
    });
    if (reply.kind !== 'done') throw new BraintreeAmbiguousError(`disputes ${reply.kind}`);
    const known = disputes.size;
    for (const one of listOf(reply.body, 'disputes').map((one) => disputeOf(one)))
      disputes.set(one.id, one);
    if (disputes.size === known) break;
  }
  return { disputes: [...disputes.values()], warnings: [] };
}
