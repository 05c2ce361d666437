import type { SyncKvStorage } from '@cloudflare/workers-types';
import type { InvitationId } from '../../types.ts';

export interface DueSms {
  id: string;
  kind: 'invitation' | 'reminder';
  invitation: InvitationId;
  code: string;
  dueAt: number;
  /** `trying`: the vendor was called, and the outcome is unknown. */
  state: 'waiting' | 'queued' | 'trying';
  triedAt: number | null;
}

export class SmsOutbox {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  all(): DueSms[] {
    return [...this.#kv.list<DueSms>({ prefix: 'sms:' })].map(([, sms]) => sms);
  }

  find(id: string): DueSms | undefined {
    return this.#kv.get<DueSms>(`sms:${id}`);
  }

  add(sms: Pick<DueSms, 'kind' | 'invitation' | 'code' | 'dueAt'>): void {
    this.save({ ...sms, id: crypto.randomUUID(), state: 'waiting', triedAt: null });
  }

  save(sms: DueSms): void {
    this.#kv.put(`sms:${sms.id}`, sms);
  }

  delete(id: string): void {
    this.#kv.delete(`sms:${id}`);
  }

  deleteFor(invitation: InvitationId): void {
    for (const sms of this.all()) if (sms.invitation === invitation) this.delete(sms.id);
  }
}
