import { builtInCatalog } from '../../worker/catalog/rules/catalog.ts';
import { dayMs } from '../../worker/platform/durations.ts';
import { typedKeys } from '../../worker/platform/keys.ts';
import type { SamplePurchase, SampleVisit } from './visits.ts';
import { draw, periodDaysOf } from './visits.ts';

export const emailOf = ({ id }: Pick<SampleVisit, 'id'>): string => `${id}@example.com`;

type Value = string | number | null;

/** Rows of the database DB by table; the keys are columns. */
export type SampleRows = Record<
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

function factsOf({ id, experiment, variant }: SampleVisit, bought: SamplePurchase, until: number) {
  const attempt = `${id}-${bought.slot}`;
  const past = bought.movements.filter(({ at }) => at < until);
  const captures = past.filter(({ kind }) => kind === 'capture');
  const renewedAt = captures.at(-1)?.at ?? bought.at;
  const isIntro = captures.length <= 1 && bought.plan.includes('7d');
  const periodDays = isIntro ? 7 : periodDaysOf(bought.plan);
  return {
    attempt,
    past,
    split: { experiment, arm: variant },
    common: { account_id: id, gateway: bought.provider },
    capturedAt: captures[0]?.at ?? bought.at,
    paidUntil: renewedAt + periodDays * dayMs,
    endedAt: bought.endedAt !== null && bought.endedAt < until ? bought.endedAt : null,
    payment: (at: number) => `${attempt}-${bought.provider}-${at}`,
  };
}

type Facts = ReturnType<typeof factsOf>;

const attemptRow = ({ attempt, split, common }: Facts, bought: SamplePurchase) => ({
  ...common,
  ...split,
  id: attempt,
  slot: bought.slot,
  plan: bought.plan,
  amount: bought.amountMinor,
  coupon: builtInCatalog.planById(bought.plan)?.coupon?.code ?? null,
  state: bought.declined ? 'declined' : 'active',
  subscription_id: null,
  opened_at: bought.at,
  terms: null,
  version: 1,
});

const subscriptionRow = (
  { attempt, common, endedAt, paidUntil }: Facts,
  { slot, plan }: SamplePurchase,
  until: number,
) => ({
  ...common,
  attempt_id: attempt,
  slot,
  plan,
  customer_id: null,
  subscription_id: null,
  status: endedAt !== null && paidUntil < until ? 'ended' : 'active',
  paid_until: paidUntil,
  cancel_at_period_end: endedAt === null ? 0 : 1,
  version: 1,
});

const ledgerRows = (
  { attempt, past, split, common, capturedAt, payment }: Facts,
  { currency }: SamplePurchase,
) =>
  past.map(({ kind, at, amountMinor }) => ({
    ...common,
    ...split,
    id: `${payment(kind === 'capture' ? at : capturedAt)}-${kind}`,
    attempt_id: attempt,
    kind,
    amount: amountMinor,
    currency,
    payment_id: payment(kind === 'capture' ? at : capturedAt),
    occurred_at: at,
    refund_key: kind === 'refund' ? `${payment(capturedAt)}:sample` : null,
  }));

const auditRows = ({ past, capturedAt, payment }: Facts, { currency }: SamplePurchase) =>
  past
    .filter(({ kind }) => kind === 'refund')
    .map(({ at, amountMinor }) => ({
      id: `${payment(at)}-audit`,
      operator: 'sample@example.com',
      action: 'refund',
      target: payment(capturedAt),
      details: JSON.stringify({ amount: amountMinor, key: 'sample' }),
      reason: refundReasons[at % refundReasons.length] ?? refundReasons[0],
      started_at: at,
      result: `refunded ${amountMinor} ${currency}`,
    }));

function purchaseRows(
  visit: SampleVisit,
  bought: SamplePurchase,
  until: number,
): Partial<SampleRows> {
  const facts = factsOf(visit, bought, until);
  return {
    attempts: [attemptRow(facts, bought)],
    subscriptions: bought.declined ? [] : [subscriptionRow(facts, bought, until)],
    failed_renewals: failureRows(visit, bought, until, facts.paidUntil),
    ledger: ledgerRows(facts, bought),
    audit: auditRows(facts, bought),
  };
}

/** The accounts of visits, with their purchases before a time. */
export function peopleRows(visits: readonly SampleVisit[], until: number): SampleRows {
  const rows: SampleRows = {
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
      const more = purchaseRows(visit, bought, until);
      for (const table of typedKeys(more)) rows[table].push(...(more[table] ?? []));
    }
  }
  return rows;
}
