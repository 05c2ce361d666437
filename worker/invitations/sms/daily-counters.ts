import type { SyncKvStorage } from '@cloudflare/workers-types';

const day = 24 * 60 * 60_000;

/** Deletes the counters of an earlier day (UTC). */
export function resetDaily(kv: SyncKvStorage, now: number): void {
  const today = Math.floor(now / day);
  if (kv.get<number>('day') === today) return;
  for (const [name] of [...kv.list({ prefix: 'count:' })]) kv.delete(name);
  kv.put('day', today);
}
