import type { SyncKvStorage } from '@cloudflare/workers-types';
import { SmsDeliveries } from './sms-deliveries.ts';

/** A text that is to go out; it is gone once its end is known. Times in ms since 1970. */
export interface DueSms {
  id: string;
  kind: 'invitation' | 'reminder';
  /** Id of the invitation that it is about. */
  invitation: string;
  /** What opens the person's page. */
  code: string;
  dueAt: number;
  /** `trying`: the vendor was called, and nobody knows yet what came of it. */
  state: 'waiting' | 'queued' | 'trying';
  triedAt: number | null;
}

/** The texts that a person is to get. */
export class SmsOutbox {
  /** How those fared that went out. */
  readonly deliveries: SmsDeliveries;
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
    this.deliveries = new SmsDeliveries(kv);
  }

  all(): DueSms[] {
    return [...this.#kv.list<DueSms>({ prefix: 'text:' })].map(([, text]) => text);
  }

  /** A text that has not come to its end. */
  find(id: string): DueSms | undefined {
    return this.#kv.get<DueSms>(`text:${id}`);
  }

  write(text: Pick<DueSms, 'kind' | 'invitation' | 'code' | 'dueAt'>): void {
    this.keep({ ...text, id: crypto.randomUUID(), state: 'waiting', triedAt: null });
  }

  keep(text: DueSms): void {
    this.#kv.put(`text:${text.id}`, text);
  }

  drop(id: string): void {
    this.#kv.delete(`text:${id}`);
  }

  /** Drops all that is about an invitation. */
  dropFor(invitation: string): void {
    for (const text of this.all()) if (text.invitation === invitation) this.drop(text.id);
  }
}
