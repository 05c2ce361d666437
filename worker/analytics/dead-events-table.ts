import type { D1Database } from '@cloudflare/workers-types';
import type { VisitorId } from '../platform/types.ts';

/** Deletes the dead letters with a visitor's events and conversions; a letter is about one visitor. */
export async function deleteDeadEvents(db: D1Database, visitor: VisitorId): Promise<void> {
  await db
    .prepare(
      `DELETE FROM dead_letters WHERE instr(body, ?) > 0
         AND (id >= 'funnel-events:' AND id < 'funnel-events;'
           OR id >= 'funnel-conversions:' AND id < 'funnel-conversions;')`,
    )
    .bind(visitor)
    .run();
}
