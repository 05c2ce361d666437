import type { SyncKvStorage } from '@cloudflare/workers-types';
import { type AccountId, accountIdOf } from '../platform/types.ts';

const prefix = 'identities:';

/** Of an account: its mailbox, and the browsers that it was used in last. */
const maxIdentities = 20;

/** Hashes of the mailbox and the browsers of whoever invited, by account. */
export class RequesterIdentities {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  of(account: AccountId): string[] {
    return this.#kv.get<string[]>(prefix + account) ?? [];
  }

  add(account: AccountId, identities: readonly string[]): void {
    if (identities.length === 0) return;
    // Newest first: the mailbox, and the browsers.
    const all = new Set([...identities, ...this.of(account)]);
    this.#kv.put(prefix + account, [...all].slice(0, maxIdentities));
  }

  /** The account, and others with one of the identities. */
  accountsOf(account: AccountId, identities: readonly string[]): string[] {
    const known = [...this.#kv.list<string[]>({ prefix })];
    const same = known.filter(([, own]) => own.some((each) => identities.includes(each)));
    return [account, ...same.map(([key]) => key.slice(prefix.length))];
  }

  deleteUnless(isNeeded: (account: AccountId) => boolean): void {
    for (const [key] of [...this.#kv.list({ prefix })]) {
      if (!isNeeded(accountIdOf(key.slice(prefix.length)))) this.#kv.delete(key);
    }
  }
}
