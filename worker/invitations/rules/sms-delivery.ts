import { hourMs } from '../../platform/durations.ts';
import type { InvitationId } from '../../platform/types.ts';
/** The recipient opted out at Twilio. https://www.twilio.com/docs/api/errors/21610 */
export const optedOutError = 21610;

/** Errors of the recipient's number. An error of our own number, such as 21601, must not end an invitation. */
export const invalidNumberErrors: ReadonlySet<number> = new Set([21211, 21612, 21614, 21635]);

/**
 * Errors that mean that the number itself cannot receive SMS: an unknown number (30005), a landline or unreachable
 * network (30006). Not a phone that is off (30003), a block (30004) or a filter (30007).
 * https://www.twilio.com/docs/api/errors
 */
const undeliverableErrors: ReadonlySet<number> = new Set([...invalidNumberErrors, 30005, 30006]);

export const isUndeliverable = ({ code }: Pick<SmsDelivery, 'code'>): boolean =>
  code !== null && undeliverableErrors.has(code);

/** Twilio's statuses by progress; reports arrive in any order: twilio.com/docs/messaging/api/message-resource */
const progress = {
  accepted: 0,
  scheduled: 0,
  queued: 0,
  sending: 1,
  sent: 2,
  canceled: 3,
  failed: 3,
  undelivered: 3,
  delivered: 4,
  read: 4,
} as const;

export type SmsStatus = keyof typeof progress;

export const isSmsStatus = (text: string): text is SmsStatus => Object.hasOwn(progress, text);

export interface SmsDelivery {
  smsId: string;
  invitation: InvitationId;
  kind: 'invitation' | 'reminder' | 'ended';
  sid: string | null;
  status: SmsStatus;
  code: number | null;
  submittedAt: number;
  lookedUp: boolean;
}

export type StatusReport = Pick<SmsDelivery, 'sid' | 'status' | 'code'>;

/** A report that is older than the known status changes nothing. */
export function applyStatusReport(
  before: SmsDelivery,
  { sid, status, code }: StatusReport,
): SmsDelivery {
  const known = { ...before, sid: before.sid ?? sid };
  return progress[status] > progress[before.status] ? { ...known, status, code } : known;
}

const reportTimeoutMs = hourMs;

const isFinal = ({ status }: SmsDelivery) => progress[status] >= progress.failed;

/** Ms since 1970; null for never. */
export const nextLookUpAt = (delivery: SmsDelivery): number | null =>
  isFinal(delivery) || delivery.lookedUp || !delivery.sid
    ? null
    : delivery.submittedAt + reportTimeoutMs;

export type DeliveryView = 'delivered' | 'undeliverable' | 'unknown';

/**
 * The requester's view of the SMS. Only an error of the number itself is shown as a failure. An opt-out at the
 * vendor (21610), a block, a filter, a phone that is off and an SMS withheld after a refusal all become `unknown`
 * at the same moment.
 * @param sendsAt when the SMS was due, ms since 1970; null for a link
 */
export function deliveryView(
  delivery: SmsDelivery | undefined,
  sendsAt: number | null,
  now: number,
): DeliveryView | null {
  if (sendsAt === null) return null;
  if (delivery && progress[delivery.status] === progress.delivered) return 'delivered';
  if (delivery && isUndeliverable(delivery)) return 'undeliverable';
  return now >= sendsAt + reportTimeoutMs ? 'unknown' : null;
}
