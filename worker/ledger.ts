import type { SyncKvStorage } from '@cloudflare/workers-types';
import type { Slot } from './funnel/plans.ts';
import { type Attempt, isFinal } from './funnel/purchase.ts';
import type { Change, LedgerRow } from './storage/projection.ts';

/** What the gateway knows the account by. */
export interface Profile {
  account: string;
  email: string;
  customerId: string | null;
  methodId: string | null;
}

/** What an account's object keeps. Every write is synchronous, so that none can be half done. */
export class Ledger {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  get profile(): Profile | undefined {
    return this.#kv.get<Profile>('profile');
  }

  setProfile(profile: Profile): void {
    this.#kv.put('profile', profile);
  }

  attempt(id: string): Attempt | undefined {
    return this.#kv.get<Attempt>(`attempt:${id}`);
  }

  byPolling(pollingId: string): Attempt | undefined {
    const id = this.#kv.get<string>(`polling:${pollingId}`);
    return id === undefined ? undefined : this.attempt(id);
  }

  /** The attempt that closes a slot: one under way, or an active one. */
  inSlot(slot: Slot): Attempt | undefined {
    const id = this.#kv.get<string>(`slot:${slot}`);
    return id === undefined ? undefined : this.attempt(id);
  }

  /** Attempts that are not final. */
  unsettled(): Attempt[] {
    return [...this.#kv.list<Attempt>({ prefix: 'attempt:' })]
      .map(([, attempt]) => attempt)
      .filter(({ state }) => !isFinal(state));
  }

  /** Keeps an attempt, opens or closes its slot, writes captured money, and queues it all for D1. */
  save(attempt: Attempt, account: string, now: number): void {
    this.#kv.put(`attempt:${attempt.id}`, attempt);
    this.#kv.put(`polling:${attempt.pollingId}`, attempt.id);
    const slot = `slot:${attempt.slot}`;
    if (!isFinal(attempt.state) || attempt.state === 'active') this.#kv.put(slot, attempt.id);
    else if (this.#kv.get(slot) === attempt.id) this.#kv.delete(slot);
    this.#queue({ attempt, account }, now);
    if (attempt.charge) this.#capture(attempt, account, now);
  }

  #capture({ id, charge, experiment, arm }: Attempt, account: string, now: number): void {
    const key = `ledger:${id}`;
    if (!charge || this.#kv.get(key)) return;
    const row: LedgerRow = {
      id: `${id}:capture`,
      attempt: id,
      account,
      kind: 'capture',
      amount: charge.amount,
      currency: charge.currency,
      paymentId: charge.paymentId,
      experiment,
      arm,
      at: now,
    };
    this.#kv.put(key, row);
    this.#queue({ ledger: row }, now);
  }

  #queue(change: Change, now: number): void {
    const seq = (this.#kv.get<number>('seq') ?? 0) + 1;
    this.#kv.put('seq', seq);
    this.#kv.put(`outbox:${String(now).padStart(15, '0')}:${String(seq).padStart(9, '0')}`, change);
  }

  /** Changes that D1 has not seen, oldest first. */
  outbox(): [key: string, change: Change][] {
    return [...this.#kv.list<Change>({ prefix: 'outbox:', limit: 50 })];
  }

  sent(keys: readonly string[]): void {
    for (const key of keys) this.#kv.delete(key);
  }
}
