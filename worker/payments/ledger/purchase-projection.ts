import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types';
import type { Conversion } from '../../analytics/rules/conversion.ts';
import type { CountInput } from '../../analytics/rules/count.ts';
import type { AccountId } from '../../platform/types.ts';
import type { Notice } from '../notices/email-notices.ts';
import type { PlanChange } from '../purchase/change-state.ts';
import type { Entitlements } from '../purchase/entitlements.ts';
import type { Attempt, Subscription } from '../purchase/state.ts';
import { putRow } from './copy-table.ts';
import { type LedgerRow, ledgerRow } from './ledger-table.ts';
import {
  type OperatorCase,
  putCase,
  recordUnspentMoney,
  type UnspentMoney,
} from './operator-case-table.ts';
import type { CopiedRow } from './rules/copied-rows.ts';

/** For the app's server; `at` is when the change was detected. */
interface EntitlementChange {
  kind: 'entitlement_change';
  entitlements: Entitlements;
  at: number;
}

export type OutboxEntry =
  | Change
  | { kind: 'email'; notice: Notice }
  | { kind: 'conversion'; conversion: Conversion }
  | { kind: 'counts'; counts: CountInput[] }
  | EntitlementChange;

/** Of a movement soon after the sign-up, for the split and each of `arms`. */
export interface Cohort {
  name: string;
  /** Ms since 1970. */
  signedUpAt: number;
  squares: readonly number[];
}

export type Change =
  | (Omit<EntitlementChange, 'kind'> & { kind: 'entitlements' })
  | { kind: 'attempt'; attempt: Attempt; account: AccountId }
  | { kind: 'subscription'; subscription: Subscription; account: AccountId }
  | { kind: 'failed_renewal'; subscription: Subscription; account: AccountId }
  | { kind: 'plan_change'; change: PlanChange; account: AccountId }
  /** An entry of an older build has neither squares nor `renewal`. */
  | {
      kind: 'movement';
      row: LedgerRow;
      squares?: number;
      armSquares?: readonly number[];
      cohort?: Cohort;
      renewal?: boolean;
    }
  | { kind: 'operator_case'; operatorCase: OperatorCase }
  | { kind: 'unspent_money'; money: UnspentMoney };

const attemptRow = (attempt: Attempt, account: AccountId): CopiedRow => ({
  table: 'attempts',
  row: {
    id: attempt.id,
    account_id: account,
    slot: attempt.slot,
    plan: attempt.plan.id,
    gateway: attempt.gateway,
    amount: attempt.amount,
    coupon: attempt.coupon,
    experiment: attempt.experiment,
    arm: attempt.arm,
    arms: attempt.arms,
    state: attempt.state,
    decline_code: attempt.declineCode,
    subscription_id: attempt.charge?.subscriptionId ?? null,
    opened_at: attempt.openedAt,
    terms: attempt.terms && JSON.stringify(attempt.terms),
    version: attempt.version,
  },
});

const subscriptionRow = (subscription: Subscription, account: AccountId): CopiedRow => ({
  table: 'subscriptions',
  row: {
    attempt_id: subscription.attempt,
    account_id: account,
    slot: subscription.slot,
    plan: subscription.plan.id,
    gateway: subscription.gateway,
    customer_id: subscription.customerId,
    subscription_id: subscription.subscriptionId,
    status: subscription.status,
    paid_until: subscription.paidUntil,
    cancel_at_period_end: subscription.ends ? 1 : 0,
    version: subscription.version,
  },
});

function failedRenewalRow(subscription: Subscription, account: AccountId): CopiedRow {
  const { attempt, gateway, plan, version, failure } = subscription;
  if (!failure) throw new RangeError(`no failure of ${attempt}`);
  return {
    table: 'failed_renewals',
    row: {
      attempt_id: attempt,
      period_ended_at: failure.periodEndedAt,
      account_id: account,
      gateway,
      amount: failure.amount,
      currency: plan.currency,
      failed_at: failure.failedAt,
      outcome: failure.outcome,
      ended_at: failure.endedAt,
      version,
    },
  };
}

const planChangeRow = (change: PlanChange, account: AccountId): CopiedRow => ({
  table: 'plan_changes',
  row: {
    id: change.id,
    attempt_id: change.attempt,
    account_id: account,
    kind: change.kind,
    plan: change.plan.id,
    amount: change.amount,
    credit: change.credit,
    currency: change.plan.currency,
    state: change.state,
    payment_id: change.paymentId,
    takes_effect_at: change.takesEffectAt,
    pauses_until: change.until,
    opened_at: change.openedAt,
    version: change.version,
  },
});

const entitlementRow = ({ account, version, active }: Entitlements, at: number): CopiedRow => ({
  table: 'entitlements',
  row: { account_id: account, version, active: JSON.stringify(active), changed_at: at },
});

/** Null for what is no copy: a case of the operators' queue, which they close themselves. */
export function rowOf(change: Change): CopiedRow | null {
  switch (change.kind) {
    case 'attempt':
      return attemptRow(change.attempt, change.account);
    case 'subscription':
      return subscriptionRow(change.subscription, change.account);
    case 'failed_renewal':
      return failedRenewalRow(change.subscription, change.account);
    case 'plan_change':
      return planChangeRow(change.change, change.account);
    case 'movement':
      return ledgerRow(change.row);
    case 'entitlements':
      return entitlementRow(change.entitlements, change.at);
    case 'operator_case':
    case 'unspent_money':
      return null;
    default:
      return change satisfies never;
  }
}

function statements(db: D1Database, change: Change, isRepair: boolean): D1PreparedStatement[] {
  if (change.kind === 'operator_case') return [putCase(db, change.operatorCase)];
  if (change.kind === 'unspent_money') return [recordUnspentMoney(db, change.money)];
  const row = rowOf(change);
  return row ? [putRow(db, row, isRepair)] : [];
}

export function accountOf(change: Change): string {
  switch (change.kind) {
    case 'movement':
      return change.row.account;
    case 'entitlements':
      return change.entitlements.account;
    case 'operator_case':
      return change.operatorCase.account;
    case 'unspent_money':
      return change.money.account;
    default:
      return change.account;
  }
}

/** Idempotent, in any order. */
export async function writeProjection(
  db: D1Database,
  changes: readonly Change[],
  isRepair = false,
): Promise<void> {
  await db.batch(changes.flatMap((change) => statements(db, change, isRepair)));
}
