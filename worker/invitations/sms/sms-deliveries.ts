import type { SyncKvStorage } from '@cloudflare/workers-types';
import type { Env } from '../../env.ts';
import type { Log } from '../../log.ts';
import {
  applyStatusReport,
  type Delivery,
  nextLookUpAt,
  type StatusReport,
} from '../rules/sms-delivery.ts';
import type { DueSms } from './sms-outbox.ts';
import { twilio } from './twilio.ts';

/** How long it is known how a text fared, in ms: a little longer than its question can be open. */
const kept = 8 * 24 * 60 * 60_000;

/** How the texts to a person fared after they were handed over. */
export class SmsDeliveries {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  all(): Delivery[] {
    return [...this.#kv.list<Delivery>({ prefix: 'delivery:' })].map(([, one]) => one);
  }

  /** How an invitation's own text fared. */
  ofInvitation(id: string): Delivery | undefined {
    return this.all().find(({ invitation, kind }) => invitation === id && kind === 'invitation');
  }

  /** Notes a text before it is handed over: a callback may be faster than the answer. */
  begin({ id, invitation, kind }: DueSms, now: number): void {
    const status = { sid: null, status: 'queued', code: null, lookedUp: false } as const;
    this.#keep({ text: id, invitation, kind, handedAt: now, ...status });
  }

  /** Takes news of a text; of one that nobody knows any more there is nothing to keep. */
  tell(text: string, told: StatusReport): void {
    const before = this.#kv.get<Delivery>(`delivery:${text}`);
    if (before) this.#keep(applyStatusReport(before, told));
  }

  /** Looks up each text once that has no end in time. Never throws: what is not known stays unknown. */
  async lookUp(env: Env, log: Log): Promise<void> {
    const now = Date.now();
    for (const delivery of this.all()) {
      const due = nextLookUpAt(delivery);
      if (due === null || due > now || !delivery.sid) continue;
      this.#keep({ ...delivery, lookedUp: true });
      const told = await twilio(env)
        .look(delivery.sid)
        .catch(() => null);
      if (told) this.tell(delivery.text, told);
      const { status: state = 'unknown', code = null } = told ?? {};
      log('info', 'sms_status', { key: delivery.kind, state, code: code ? `${code}` : undefined });
    }
  }

  /** Forgets how old texts fared. */
  sweep(now: number): void {
    for (const { text, handedAt } of this.all()) {
      if (handedAt + kept <= now) this.#kv.delete(`delivery:${text}`);
    }
  }

  /** When there is something to do, ms since 1970; null for never. */
  dueAt(): number | null {
    const due = this.all().map((one) => nextLookUpAt(one) ?? one.handedAt + kept);
    return due.length > 0 ? Math.min(...due) : null;
  }

  #keep(delivery: Delivery): void {
    this.#kv.put(`delivery:${delivery.text}`, delivery);
  }
}
