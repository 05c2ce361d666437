import type { SyncKvStorage } from '@cloudflare/workers-types';
import type { InvitationId } from '../../platform/types.ts';

export interface Contact {
  e164: string;
  country: string | null;
  zones: readonly string[];
  site: string;
}

export interface DueSms {
  id: string;
  /** `ended`: tells the invitee that the requester no longer sees their location. */
  kind: 'invitation' | 'reminder' | 'ended';
  invitation: InvitationId;
  code: string;
  dueAt: number;
  /** `trying`: the vendor was called, and the outcome is unknown. */
  state: 'waiting' | 'queued' | 'trying';
  triedAt: number | null;
  /** Whether the limits know of it. An invitation was counted when it was requested. */
  isCounted?: boolean;
  /** For `ended`: what the ended invitation no longer stores. */
  to?: Contact & { name: string };
}

export class SmsOutbox {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  /** Kept only while an invitation is open. */
  get contact(): Contact | undefined {
    return this.#kv.get<Contact>('contact');
  }

  /** The origin of links for the requester. */
  get site(): string {
    return this.#kv.get<string>('site') ?? '';
  }

  get country(): string | null {
    return this.#kv.get<string | null>('country') ?? null;
  }

  setContact(contact: Contact): void {
    this.#kv.put('contact', contact);
    this.#kv.put('country', contact.country);
    this.#kv.put('site', contact.site);
  }

  deleteContact(): void {
    this.#kv.delete('contact');
  }

  all(): DueSms[] {
    return [...this.#kv.list<DueSms>({ prefix: 'sms:' })].map(([, sms]) => sms);
  }

  find(id: string): DueSms | undefined {
    return this.#kv.get<DueSms>(`sms:${id}`);
  }

  add(sms: Pick<DueSms, 'kind' | 'invitation' | 'code' | 'dueAt' | 'to'>): void {
    this.save({ ...sms, id: crypto.randomUUID(), state: 'waiting', triedAt: null });
  }

  save(sms: DueSms): void {
    this.#kv.put(`sms:${sms.id}`, sms);
  }

  delete(id: string): void {
    this.#kv.delete(`sms:${id}`);
  }

  /** Deletes what an ended invitation no longer sends. */
  deleteFor(invitation: InvitationId): void {
    for (const { id, kind, invitation: of } of this.all())
      if (of === invitation && kind !== 'ended') this.delete(id);
  }
}
