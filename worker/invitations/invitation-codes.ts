import type { SyncKvStorage } from '@cloudflare/workers-types';
import type { InvitationId } from '../platform/types.ts';
import type { InvitationWords } from './rules/invitation.ts';

const prefix = 'code:';

interface OpenedBy {
  id: InvitationId;
  /** What the message with this link said; an SMS says what the invitation says. */
  words?: InvitationWords;
}

type Stored = InvitationId | OpenedBy;

const opened = (stored: Stored): OpenedBy => (typeof stored === 'string' ? { id: stored } : stored);

/** Which invitation a code's hash opens, and in whose words. */
export class InvitationCodes {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  add(hash: string, invitation: InvitationId, words?: InvitationWords): void {
    this.#kv.put<Stored>(prefix + hash, words ? { id: invitation, words } : invitation);
  }

  find(hash: string): OpenedBy | undefined {
    const stored = this.#kv.get<Stored>(prefix + hash);
    return stored === undefined ? undefined : opened(stored);
  }

  #keysOf(invitation: InvitationId): string[] {
    const codes = [...this.#kv.list<Stored>({ prefix })];
    return codes.filter(([, stored]) => opened(stored).id === invitation).map(([key]) => key);
  }

  count(invitation: InvitationId): number {
    return this.#keysOf(invitation).length;
  }

  /** The words have the requester's name. */
  forgetWords(invitation: InvitationId): void {
    for (const key of this.#keysOf(invitation)) this.#kv.put<Stored>(key, invitation);
  }

  deleteOf(invitation: InvitationId): void {
    for (const key of this.#keysOf(invitation)) this.#kv.delete(key);
  }
}
