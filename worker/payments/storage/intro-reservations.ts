import type { SyncKvStorage } from '@cloudflare/workers-types';

const prefix = 'intro:';

/** Notes of an account's reservations in D1, each an attempt and its database, until they are released. */
export class IntroReservations {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  add(note: string): void {
    this.#kv.put(prefix + note, true);
  }

  all(): string[] {
    return [...this.#kv.list({ prefix })].map(([key]) => key.slice(prefix.length));
  }

  delete(note: string): void {
    this.#kv.delete(prefix + note);
  }
}
