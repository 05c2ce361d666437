import type { SyncKvStorage } from '@cloudflare/workers-types';
import { syntheticArm } from '../../platform/log-counts.ts';
import { accountIdOf } from '../../platform/types.ts';
import { type Entitlements, entitlementsOf, nextEnd } from '../purchase/entitlements.ts';
import type { PurchaseStorage } from './purchase-storage.ts';

const key = 'entitlements';

/** Compared with the subscriptions at each alarm and read, so no change is missed, even by time alone. */
export class EntitlementRecord {
  readonly #kv: SyncKvStorage;
  readonly #storage: PurchaseStorage;

  constructor(kv: SyncKvStorage, storage: PurchaseStorage) {
    this.#kv = kv;
    this.#storage = storage;
  }

  /** A change gets the next version and is queued in the outbox. */
  update(now: number): { entitlements: Entitlements; isNew: boolean } {
    const storage = this.#storage;
    const account = storage.profile?.account ?? accountIdOf('');
    const known = this.#kv.get<Entitlements>(key) ?? { account, version: 0, active: [] };
    const active = entitlementsOf(storage.subscriptions(), now);
    if (JSON.stringify(active) === JSON.stringify(known.active)) {
      return { entitlements: known, isNew: false };
    }
    const entitlements = { account, version: known.version + 1, active };
    this.#kv.put(key, entitlements);
    storage.queue({ kind: 'entitlements', entitlements, at: now });
    const isSynthetic = storage.attempts().some(({ arm }) => arm === syntheticArm);
    if (!isSynthetic) storage.queue({ kind: 'entitlement_change', entitlements, at: now });
    return { entitlements, isNew: true };
  }

  get current(): Entitlements | undefined {
    return this.#kv.get<Entitlements>(key);
  }

  dueAt(): number | null {
    return nextEnd(this.#kv.get<Entitlements>(key)?.active ?? []);
  }
}
