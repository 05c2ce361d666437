import { optedOut, unreachable } from './twilio-errors.ts';

/**
 * What Twilio says of a text that goes out, and how far on it is. Its callbacks come in any order, and
 * again. https://www.twilio.com/docs/messaging/api/message-resource#message-status-values
 */
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

/** How a text fares after it was handed over. */
export interface Delivery {
  /** Id of the text, and of the invitation that it is about. */
  text: string;
  invitation: string;
  kind: 'invitation' | 'reminder';
  /** The vendor's id of it; null until the vendor says. */
  sid: string | null;
  status: SmsStatus;
  /** The vendor's error code. */
  code: number | null;
  /** Ms since 1970. */
  handedAt: number;
  /** Whether it was looked up, which is done once. */
  lookedUp: boolean;
}

/** What the vendor tells of a text. */
export type StatusReport = Pick<Delivery, 'sid' | 'status' | 'code'>;

/** A delivery after news; news that is older than what is known changes nothing. */
export function applyStatusReport(before: Delivery, { sid, status, code }: StatusReport): Delivery {
  const known = { ...before, sid: before.sid ?? sid };
  return progress[status] > progress[before.status] ? { ...known, status, code } : known;
}

/** Without an end after so long, in ms, a text is looked up, and shown as unknown. */
const patience = 60 * 60_000;

const isFinal = ({ status }: Delivery) => progress[status] >= progress.failed;

/** When a text is to be looked up, ms since 1970; null for never. */
export const nextLookUpAt = (delivery: Delivery): number | null =>
  isFinal(delivery) || delivery.lookedUp || !delivery.sid ? null : delivery.handedAt + patience;

export type DeliveryView = 'delivered' | 'undeliverable' | 'unknown';

/**
 * What who asked learns of their text. Only what is a fact of the number shows as a failure. A STOP at
 * the vendor (21610), a block, a filter, a phone that is off, a network that tells nothing and a text
 * that a no kept back all are `unknown`, from the same moment on.
 *
 * @param sendsAt when the text was due, ms since 1970; null where there is none
 */
export function deliveryView(
  delivery: Delivery | undefined,
  sendsAt: number | null,
  now: number,
): DeliveryView | null {
  if (sendsAt === null) return null;
  if (delivery && progress[delivery.status] === progress.delivered) return 'delivered';
  const { code = null } = delivery ?? {};
  if (code !== null && code !== optedOut && unreachable.has(code)) return 'undeliverable';
  return now >= sendsAt + patience ? 'unknown' : null;
}
