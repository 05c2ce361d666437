import type { SyncKvStorage } from '@cloudflare/workers-types';
import type { InvitationId } from '../platform/types.ts';

const prefix = 'code:';

/** Which invitation a code's hash opens. */
export class InvitationCodes {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  add(hash: string, invitation: InvitationId): void {
    this.#kv.put(prefix + hash, invitation);
  }

  invitationOf(hash: string): InvitationId | undefined {
    return this.#kv.get<InvitationId>(prefix + hash);
  }

  #keysOf(invitation: InvitationId): string[] {
    const codes = [...this.#kv.list<InvitationId>({ prefix })];
    return codes.filter(([, id]) => id === invitation).map(([key]) => key);
  }

  count(invitation: InvitationId): number {
    return this.#keysOf(invitation).length;
  }

  deleteOf(invitation: InvitationId): void {
    for (const key of this.#keysOf(invitation)) this.#kv.delete(key);
  }
}
