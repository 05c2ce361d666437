import type { D1Database } from '@cloudflare/workers-types';
import type { Conversion } from '../../analytics/rules/conversion.ts';
import type { CountInput } from '../../analytics/rules/count.ts';
import { planById } from '../../catalog/rules/plans.ts';
import type { AccountId } from '../../types.ts';
import type { Attempt } from '../rules/attempt.ts';
import type { Notice } from '../rules/email-notices.ts';
import type { Entitlements } from '../rules/entitlements.ts';
import type { PlanChange } from '../rules/plan-change.ts';
import type { Subscription } from '../rules/subscription.ts';
import { insertRow, type LedgerRow } from './ledger-table.ts';
import {
  type OperatorCase,
  putCase,
  recordUnspentMoney,
  type UnspentMoney,
} from './operator-case-table.ts';
import { putPlanChange } from './plan-change-table.ts';

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

export type Change =
  | (Omit<EntitlementChange, 'kind'> & { kind: 'entitlements' })
  | { kind: 'attempt'; attempt: Attempt; account: AccountId }
  | { kind: 'subscription'; subscription: Subscription; account: AccountId }
  | { kind: 'failed_renewal'; subscription: Subscription; account: AccountId }
  | { kind: 'plan_change'; change: PlanChange; account: AccountId }
  /** An entry of an older build has neither `squares` nor `renewal`. */
  | { kind: 'movement'; row: LedgerRow; squares?: number; renewal?: boolean }
  | { kind: 'operator_case'; operatorCase: OperatorCase }
  | { kind: 'unspent_money'; money: UnspentMoney };

const putSubscription = (db: D1Database, subscription: Subscription, account: AccountId) =>
  db
    .prepare(
      `INSERT INTO subscriptions
         (attempt_id, account_id, slot, plan, gateway, customer_id, subscription_id, status,
          paid_until, cancel_at_period_end, version)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (attempt_id) DO UPDATE
         SET plan = excluded.plan, subscription_id = excluded.subscription_id,
             status = excluded.status, paid_until = excluded.paid_until,
             cancel_at_period_end = excluded.cancel_at_period_end, version = excluded.version
         WHERE excluded.version > subscriptions.version`,
    )
    .bind(
      subscription.attempt,
      account,
      subscription.slot,
      subscription.plan,
      subscription.gateway,
      subscription.customerId,
      subscription.subscriptionId,
      subscription.status,
      subscription.paidUntil,
      subscription.ends ? 1 : 0,
      subscription.version,
    );

const putPurchase = (db: D1Database, attempt: Attempt, account: AccountId) =>
  db
    .prepare(
      `INSERT INTO attempts
         (id, account_id, slot, plan, gateway, amount, coupon, experiment, arm, state,
          decline_code, subscription_id, opened_at, terms, version)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE
         SET gateway = excluded.gateway, state = excluded.state,
             decline_code = excluded.decline_code, subscription_id = excluded.subscription_id,
             version = excluded.version
         WHERE excluded.version > attempts.version`,
    )
    .bind(
      attempt.id,
      account,
      attempt.slot,
      attempt.plan,
      attempt.gateway,
      attempt.amount,
      attempt.coupon,
      attempt.experiment,
      attempt.arm,
      attempt.state,
      attempt.declineCode,
      attempt.charge?.subscriptionId ?? null,
      attempt.openedAt,
      attempt.terms && JSON.stringify(attempt.terms),
      attempt.version,
    );

const putEntitlements = (db: D1Database, { account, version, active }: Entitlements, at: number) =>
  db
    .prepare(
      `INSERT INTO entitlements (account_id, version, active, changed_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (account_id) DO UPDATE
         SET version = excluded.version, active = excluded.active, changed_at = excluded.changed_at
         WHERE excluded.version > entitlements.version`,
    )
    .bind(account, version, JSON.stringify(active), at);

function putFailedRenewal(db: D1Database, subscription: Subscription, account: AccountId) {
  const { attempt, gateway, plan, version, failure } = subscription;
  if (!failure) throw new RangeError(`no failure of ${attempt}`);
  return db
    .prepare(
      `INSERT INTO failed_renewals
         (attempt_id, period_ended_at, account_id, gateway, amount, currency, failed_at, outcome, ended_at,
          version)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (attempt_id, period_ended_at) DO UPDATE
         SET outcome = excluded.outcome, ended_at = excluded.ended_at, version = excluded.version
         WHERE excluded.version > failed_renewals.version`,
    )
    .bind(
      attempt,
      failure.periodEndedAt,
      account,
      gateway,
      failure.amount,
      planById(plan)?.currency ?? '',
      failure.failedAt,
      failure.outcome,
      failure.endedAt,
      version,
    );
}

function statement(db: D1Database, change: Change) {
  switch (change.kind) {
    case 'attempt':
      return putPurchase(db, change.attempt, change.account);
    case 'subscription':
      return putSubscription(db, change.subscription, change.account);
    case 'failed_renewal':
      return putFailedRenewal(db, change.subscription, change.account);
    case 'plan_change':
      return putPlanChange(db, change.change, change.account);
    case 'movement':
      return insertRow(db, change.row);
    case 'entitlements':
      return putEntitlements(db, change.entitlements, change.at);
    case 'operator_case':
      return putCase(db, change.operatorCase);
    case 'unspent_money':
      return recordUnspentMoney(db, change.money);
    default:
      return change satisfies never;
  }
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
export async function writeProjection(db: D1Database, changes: readonly Change[]): Promise<void> {
  await db.batch(changes.map((change) => statement(db, change)));
}
