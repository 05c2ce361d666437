import type { SamplePurchase, SampleVisit } from './visits.ts';
import { dayMs, draw } from './visits.ts';

export const emailOf = ({ id }: Pick<SampleVisit, 'id'>): string => `${id}@example.com`;

type Value = string | number | null;

/** Rows of the database DB by table; the keys are columns. */
export type Rows = Record<
  'accounts' | 'attempts' | 'subscriptions' | 'failed_renewals' | 'ledger' | 'audit',
  Record<string, Value>[]
>;

const refundReasons = [
  'Sample: bought it twice',
  'Sample: did not see that it renews',
  'Sample: the other person has no smartphone',
] as const;

/** One of five renewals fails at first; most of those are paid a day later. */
function failureRows({ id }: SampleVisit, bought: SamplePurchase, until: number, due: number) {
  const { slot, provider, currency, movements } = bought;
  const [first, renewal] = movements.filter(({ kind }) => kind === 'capture');
  const failedAt = renewal?.at ?? due;
  const isOver = bought.declined || (bought.endedAt !== null && bought.endedAt < failedAt);
  if (!first || isOver || failedAt >= until || draw(`${id} ${slot} fails`) >= 0.2) return [];
  const isOpen = renewal === undefined && failedAt + dayMs >= until;
  return [
    {
      attempt_id: `${id}-${slot}`,
      period_ended_at: failedAt,
      account_id: id,
      gateway: provider,
      amount: renewal?.amountMinor ?? first.amountMinor,
      currency,
      failed_at: failedAt,
      outcome: isOpen ? 'open' : renewal ? 'retried' : 'lost',
      ended_at: isOpen ? null : Math.min(failedAt + dayMs, until),
      version: 1,
    },
  ];
}

function purchaseRows(visit: SampleVisit, bought: SamplePurchase, until: number): Partial<Rows> {
  const { id, experiment, variant } = visit;
  const attempt = `${id}-${bought.slot}`;
  const payment = (at: number) => `${attempt}-${bought.provider}-${at}`;
  const common = { account_id: id, gateway: bought.provider };
  const past = bought.movements.filter(({ at }) => at < until);
  const captures = past.filter(({ kind }) => kind === 'capture');
  const captured = captures[0]?.at ?? bought.at;
  const renewed = captures.at(-1)?.at ?? bought.at;
  const periodDays = captures.length > 1 || !bought.plan.includes('7d') ? 30 : 7;
  const endedAt = bought.endedAt !== null && bought.endedAt < until ? bought.endedAt : null;
  const paidUntil = renewed + periodDays * dayMs;
  const facts = { ...common, slot: bought.slot, plan: bought.plan, version: 1 };
  const refunds = past.filter(({ kind }) => kind === 'refund');
  return {
    attempts: [
      {
        ...facts,
        id: attempt,
        amount: bought.amountMinor,
        coupon: null,
        experiment,
        arm: variant,
        state: bought.declined ? 'declined' : 'active',
        subscription_id: null,
        opened_at: bought.at,
        terms: null,
      },
    ],
    subscriptions: bought.declined
      ? []
      : [
          {
            ...facts,
            attempt_id: attempt,
            customer_id: null,
            subscription_id: null,
            status: endedAt !== null && paidUntil < until ? 'ended' : 'active',
            paid_until: paidUntil,
            cancel_at_period_end: endedAt === null ? 0 : 1,
          },
        ],
    failed_renewals: failureRows(visit, bought, until, paidUntil),
    ledger: past.map(({ kind, at, amountMinor }) => ({
      ...common,
      id: `${payment(kind === 'capture' ? at : captured)}-${kind}`,
      attempt_id: attempt,
      kind,
      amount: amountMinor,
      currency: bought.currency,
      payment_id: payment(kind === 'capture' ? at : captured),
      experiment,
      arm: variant,
      occurred_at: at,
      refund_key: kind === 'refund' ? `${payment(captured)}:sample` : null,
    })),
    audit: refunds.map(({ at, amountMinor }) => ({
      id: `${payment(at)}-audit`,
      operator: 'sample@example.com',
      action: 'refund',
      target: payment(captured),
      details: JSON.stringify({ amount: amountMinor, key: 'sample' }),
      reason: refundReasons[at % refundReasons.length] ?? refundReasons[0],
      started_at: at,
      result: `refunded ${amountMinor} ${bought.currency}`,
    })),
  };
}

/** The accounts of visits, with their purchases before a time. */
export function peopleRows(visits: readonly SampleVisit[], until: number): Rows {
  const rows: Rows = {
    accounts: [],
    attempts: [],
    subscriptions: [],
    failed_renewals: [],
    ledger: [],
    audit: [],
  };
  for (const visit of visits) {
    const { id, signedUpAt, country, language, experiment, variant } = visit;
    if (signedUpAt === null || signedUpAt >= until) continue;
    rows.accounts.push({
      id,
      email: emailOf(visit),
      email_key: emailOf(visit),
      name: 'Sample person',
      visitor_id: id,
      landing_type: `split_${variant.replace('/', '_')}`,
      country,
      language,
      experiment,
      arm: variant,
      epoch: 0,
      created_at: Math.floor(signedUpAt),
      verified_at: null,
    });
    for (const bought of visit.purchases) {
      if (bought.at >= until) continue;
      for (const [table, some] of Object.entries(purchaseRows(visit, bought, until))) {
        rows[table as keyof Rows].push(...some);
      }
    }
  }
  return rows;
}
