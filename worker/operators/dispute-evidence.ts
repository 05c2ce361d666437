import { createHandlers } from '../http/handlers.ts';
import { findPayerOf } from '../payments/ledger/payer-lookup.ts';
import { accountDatabase } from '../platform/account-databases.ts';
import type { Env } from '../platform/env.ts';
import { Refusal } from '../platform/errors.ts';
import { replicaOf } from '../platform/replica.ts';
import { type PaymentId, paymentIdOf } from '../platform/types.ts';
import { accessOf, emailsOf, evidenceAccount } from './evidence-table.ts';
import type { Evidence } from './rules/evidence-text.ts';

/** For the bank: from the account's object, with e-mails and access from D1. @throws Refusal `payment_unknown` */
export async function disputeEvidence(env: Env, payment: PaymentId): Promise<Evidence> {
  const account = await findPayerOf(env, payment);
  if (account === null) throw new Refusal('payment_unknown');
  const owned = await env.PURCHASES.getByName(account).ownedSubscriptions();
  const one = owned.find(({ rows }) => rows.some(({ paymentId }) => paymentId === payment));
  if (!one) throw new Refusal('payment_unknown');
  const { subscription, plan, rows, terms } = one;
  const refunds = rows.filter(({ kind }) => kind === 'refund').map(({ id }) => id.split(':')[1]);
  const db = replicaOf(accountDatabase(env, account));
  const [buyer, access, emails] = await Promise.all([
    evidenceAccount(db, account),
    accessOf(db, account),
    emailsOf(
      db,
      subscription.attempt,
      refunds.flatMap((id) => id ?? []),
    ),
  ]);
  return {
    payment,
    gateway: subscription.gateway,
    account,
    attempt: subscription.attempt,
    buyer,
    product: plan.productId,
    plan: plan.id,
    currency: plan.currency,
    terms,
    status: subscription.status,
    paidUntil: subscription.paidUntil,
    cancelledAt: subscription.cancelRequestedAt,
    withdrawnAt: subscription.withdrawnAt,
    payments: rows.map(({ kind, amount, at, paymentId }) => ({ kind, amount, at, paymentId })),
    access,
    emails,
  };
}

export const getDisputeEvidence = createHandlers(async (c) => {
  const payment = paymentIdOf((c.req.param('payment') ?? '').slice(0, 100));
  return c.json({ data: await disputeEvidence(c.env, payment) });
});
