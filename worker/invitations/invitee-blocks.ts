import type { SyncKvStorage } from '@cloudflare/workers-types';
import type { AccountId } from '../platform/types.ts';

/** A report whose suspension is not stored yet. */
export interface Report {
  account: AccountId;
  /** The browser that asked, if nobody had proven the account's mailbox. */
  unconfirmedBrowser?: string;
  /** Ms since 1970. */
  at: number;
}

/** Whom the invitee blocked or reported, and whether they opted out. */
export class InviteeBlocks {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  get optedOut(): boolean {
    return this.#kv.get('opted-out') !== undefined;
  }

  optOut(now: number): void {
    this.#kv.put('opted-out', now);
  }

  /** @param message the id of the SMS that said START; each counts once */
  optIn(message: string): boolean {
    const applies = this.optedOut && this.#kv.get(`opt-in-sms:${message}`) === undefined;
    if (applies) this.#kv.put(`opt-in-sms:${message}`, true);
    return applies && this.#kv.delete('opted-out');
  }

  /** Whether the invitee opted out, or blocked the account. */
  holdFor(account: AccountId): boolean {
    return this.optedOut || this.isBlocked(account);
  }

  isBlocked(account: string): boolean {
    return this.#kv.get(`blocked:${account}`) !== undefined;
  }

  block(account: AccountId, now: number): void {
    this.#kv.put(`blocked:${account}`, now);
  }

  report({ account, unconfirmedBrowser, at }: Report): void {
    const asked = unconfirmedBrowser && { unconfirmedBrowser };
    this.#kv.put<Report>(`report:${account}:${unconfirmedBrowser ?? ''}`, {
      account,
      at,
      ...asked,
    });
  }

  /** By key. */
  reports(): [string, Report][] {
    const stored = [...this.#kv.list<Report | AccountId>({ prefix: 'report:' })];
    // An older build stored the account.
    return stored.map(([key, one]) => [
      key,
      typeof one === 'string' ? { account: one, at: 0 } : one,
    ]);
  }

  deleteReport(key: string): void {
    this.#kv.delete(key);
  }
}
