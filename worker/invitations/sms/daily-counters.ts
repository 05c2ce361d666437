import type { SyncKvStorage } from '@cloudflare/workers-types';
import { dayMs } from '../../platform/durations.ts';

/** Deletes the counters of an earlier day (UTC). */
export function resetDaily(kv: SyncKvStorage, now: number): void {
  const today = Math.floor(now / dayMs);
  if (kv.get<number>('day') === today) return;
  for (const [name] of [...kv.list({ prefix: 'count:' })]) kv.delete(name);
  kv.put('day', today);
}
