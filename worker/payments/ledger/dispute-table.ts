import type { D1Database } from '@cloudflare/workers-types';
import type { Dispute } from '../purchase/risks.ts';
import type { GatewayName } from '../purchase/state.ts';

/** Below D1's limit of 2 MB a value; a row takes about 250 bytes. */
const maxRows = 2_000;

/** The disputes that are new or whose state differs from the stored one. */
export async function changedDisputes(
  db: D1Database,
  gateway: GatewayName,
  disputes: readonly Dispute[],
): Promise<Dispute[]> {
  const stored = db.prepare(
    `SELECT disputes.id, disputes.state FROM json_each(?2)
     JOIN disputes ON disputes.gateway = ?1 AND disputes.id = json_each.value`,
  );
  const states = new Map<string, string>();
  for (let at = 0; at < disputes.length; at += maxRows) {
    const ids = disputes.slice(at, at + maxRows).map(({ id }) => id);
    const { results } = await stored.bind(gateway, JSON.stringify(ids)).all<Dispute>();
    for (const { id, state } of results) states.set(id, state);
  }
  return disputes.filter(({ id, state }) => states.get(id) !== state);
}

/** An unchanged state is not written again. @param now when they were read, ms since 1970 */
export async function saveDisputes(
  db: D1Database,
  gateway: GatewayName,
  disputes: readonly Dispute[],
  now: number,
): Promise<void> {
  const statement = db.prepare(
    `INSERT INTO disputes (gateway, id, payment_id, amount, currency, reason, state, opened_at, due_at,
       answered_at, closed_at)
     SELECT ?1, value ->> 'id', value ->> 'paymentId', value ->> 'amount', value ->> 'currency',
       value ->> 'reason', value ->> 'state', value ->> 'openedAt', value ->> 'dueAt',
       CASE value ->> 'state' WHEN 'answered' THEN ?3 END,
       CASE WHEN value ->> 'state' IN ('won', 'lost') THEN ?3 END
     FROM json_each(?2) WHERE true
     ON CONFLICT (gateway, id) DO UPDATE SET state = excluded.state, due_at = excluded.due_at,
       amount = excluded.amount, answered_at = coalesce(answered_at, excluded.answered_at),
       closed_at = excluded.closed_at
     WHERE state <> excluded.state OR due_at IS NOT excluded.due_at`,
  );
  for (let at = 0; at < disputes.length; at += maxRows) {
    const some = JSON.stringify(disputes.slice(at, at + maxRows));
    await statement.bind(gateway, some, now).run();
  }
}
