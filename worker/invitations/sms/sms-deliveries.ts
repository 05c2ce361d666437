import type { SyncKvStorage } from '@cloudflare/workers-types';
import { dayMs } from '../../platform/durations.ts';
import type { Env } from '../../platform/env.ts';
import { type Log, reasonOf } from '../../platform/log.ts';
import type { InvitationId } from '../../platform/types.ts';
import {
  applyStatusReport,
  nextLookUpAt,
  type SmsDelivery,
  type StatusReport,
} from '../rules/sms-delivery.ts';
import type { DueSms } from './sms-outbox.ts';
import { twilio } from './twilio.ts';

/** A little longer than an invitation can stay open. */
const retentionMs = 8 * dayMs;

export class SmsDeliveries {
  readonly #kv: SyncKvStorage;
  readonly #onReport: (delivery: SmsDelivery) => void;

  constructor(kv: SyncKvStorage, onReport: (delivery: SmsDelivery) => void) {
    this.#kv = kv;
    this.#onReport = onReport;
  }

  all(): SmsDelivery[] {
    return [...this.#kv.list<SmsDelivery>({ prefix: 'delivery:' })].map(([, one]) => one);
  }

  /** For the invitation's own SMS, not for a reminder. */
  ofInvitation(id: InvitationId): SmsDelivery | undefined {
    return this.all().find(({ invitation, kind }) => invitation === id && kind === 'invitation');
  }

  /** Called before the SMS is submitted: a callback may arrive before the vendor's answer. */
  add({ id, invitation, kind }: DueSms, now: number): void {
    const status = { sid: null, status: 'queued', code: null, lookedUp: false } as const;
    this.#save({ smsId: id, invitation, kind, submittedAt: now, ...status });
  }

  record(smsId: string, report: StatusReport): void {
    const before = this.#kv.get<SmsDelivery>(`delivery:${smsId}`);
    if (!before) return;
    const after = applyStatusReport(before, report);
    this.#save(after);
    this.#onReport(after);
  }

  /** Looks up, once each, SMS without a final status in time. Never throws. */
  async lookUpOverdue(env: Env, log: Log): Promise<void> {
    const now = Date.now();
    for (const delivery of this.all()) {
      const due = nextLookUpAt(delivery);
      if (due === null || due > now || !delivery.sid) continue;
      this.#save({ ...delivery, lookedUp: true });
      const report = await twilio(env)
        .readStatus(delivery.sid)
        .catch((error) => {
          log('warn', 'sms_status_failed', { type: delivery.kind, reason: reasonOf(error) });
          return null;
        });
      if (report) this.record(delivery.smsId, report);
      const { status: state = 'unknown', code = null } = report ?? {};
      log('info', 'sms_status_received', {
        type: delivery.kind,
        state,
        code: code ? `${code}` : undefined,
      });
    }
  }

  deleteExpired(now: number): void {
    for (const { smsId, submittedAt } of this.all()) {
      if (submittedAt + retentionMs <= now) this.#kv.delete(`delivery:${smsId}`);
    }
  }

  /** Time of the next look-up or deletion, ms since 1970; null for none. */
  nextDueAt(): number | null {
    const due = this.all().map((one) => nextLookUpAt(one) ?? one.submittedAt + retentionMs);
    return due.length > 0 ? Math.min(...due) : null;
  }

  #save(delivery: SmsDelivery): void {
    this.#kv.put(`delivery:${delivery.smsId}`, delivery);
  }
}
