import type { D1Database } from '@cloudflare/workers-types';
import { planById } from '../../catalog/rules/plans.ts';
import type { AccountId } from '../../types.ts';
import type { PlanChange } from '../rules/plan-change.ts';

/** Stores the copy of a confirmed change. Idempotent, in any order. */
export const putPlanChange = (db: D1Database, change: PlanChange, account: AccountId) =>
  db
    .prepare(
      `INSERT INTO plan_changes
         (id, attempt_id, account_id, kind, plan, amount, credit, currency, state, payment_id,
          takes_effect_at, pauses_until, opened_at, version)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE
         SET state = excluded.state, payment_id = excluded.payment_id, version = excluded.version
         WHERE excluded.version > plan_changes.version`,
    )
    .bind(
      change.id,
      change.attempt,
      account,
      change.kind,
      change.plan,
      change.amount,
      change.credit,
      planById(change.plan)?.currency ?? '',
      change.state,
      change.paymentId,
      change.takesEffectAt,
      change.until,
      change.openedAt,
      change.version,
    );
