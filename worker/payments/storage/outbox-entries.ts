import type { SyncKvStorage } from '@cloudflare/workers-types';
import type { OutboxEntry } from '../ledger/purchase-projection.ts';
import type { SoldPlans } from './sold-plans.ts';
import { entryOf, type StoredEntry, storedEntry } from './stored-records.ts';

/** What an account's object still has to send or copy, oldest first. */
export class OutboxEntries {
  readonly #kv: SyncKvStorage;
  readonly #clock: () => number;
  readonly #planOf: SoldPlans['of'];

  constructor(kv: SyncKvStorage, clock: () => number, planOf: SoldPlans['of']) {
    this.#kv = kv;
    this.#clock = clock;
    this.#planOf = planOf;
  }

  append(entry: OutboxEntry): void {
    const seq = (this.#kv.get<number>('seq') ?? 0) + 1;
    this.#kv.put('seq', seq);
    const time = String(this.#clock()).padStart(15, '0');
    this.#kv.put(`outbox:${time}:${String(seq).padStart(9, '0')}`, storedEntry(entry));
  }

  #list(limit?: number): [key: string, entry: OutboxEntry][] {
    const options = { prefix: 'outbox:', ...(limit !== undefined && { limit }) };
    const stored = [...this.#kv.list<StoredEntry>(options)];
    return stored.map(([key, entry]) => [key, entryOf(entry, this.#planOf)]);
  }

  next(): [key: string, entry: OutboxEntry][] {
    return this.#list(50);
  }

  all(): OutboxEntry[] {
    return this.#list().map(([, entry]) => entry);
  }

  unprojectedRows(): string[] {
    return this.all().flatMap((entry) => (entry.kind === 'movement' ? [entry.row.id] : []));
  }

  delete(keys: readonly string[]): void {
    for (const key of keys) this.#kv.delete(key);
  }
}
