import type { Discount } from '../../catalog/coupons.ts';
import type { Market } from '../../catalog/markets.ts';
import type { Plan } from '../../catalog/plans.ts';
import { type Attempt, type GatewayName, sendLimit } from './attempt.ts';

/** What a buyer was shown beside the button, kept with the purchase as evidence. */
export interface Terms {
  /** The words, line by line, the button's label last. */
  text: string;
  /**
   * Which words the page said that it showed, so that the text is theirs; null where none said so: then
   * it is what our pages show at that time.
   */
  version: string | null;
  /** BCP 47. */
  language: string;
  market: Market['id'];
  /** IANA name of the zone that the days in it are told in. */
  timeZone: string;
  /** When they were accepted, ms since 1970. */
  at: number;
}

/** Who buys, and how. */
export interface Buyer {
  gateway: GatewayName;
  nonce: string | null;
  deviceData: string | null;
  coupon: Discount | null;
  experiment: string | null;
  arm: string;
  terms: Terms | null;
}

/** What an attempt does not say yet; an older build did not write what came after it. */
const blank = {
  epoch: 0,
  coupon: null,
  nonce: null,
  deviceData: null,
  experiment: null,
  terms: null,
  sentAt: null,
  challengedAt: null,
  rounds: 0,
  tries: 0,
  caseAt: null,
  subscriptionId: null,
  invoiceId: null,
  paymentId: null,
  secret: null,
  charge: null,
  refusal: null,
  declineCode: null,
  processorResponse: null,
} satisfies Partial<Attempt>;

/** An attempt as any build kept it, with every field. */
export const withAttemptDefaults = (kept: Attempt): Attempt => ({
  ...blank,
  // A build that did not write it sent again and again, until the limit.
  ...(kept.state === 'sent' ? { sentAt: kept.openedAt + sendLimit } : {}),
  ...kept,
});

/** An attempt to buy a plan, before anything was sent. Its sum is the plan's row less the coupon. */
export function newAttempt(
  plan: Plan,
  { gateway, nonce, deviceData, coupon, experiment, arm, terms }: Buyer,
  ids: { id: string; pollingId: string },
  now: number,
): Attempt {
  return {
    ...blank,
    ...ids,
    gateway,
    slot: plan.slot,
    plan: plan.id,
    amount: plan.today - (coupon?.discount ?? 0),
    coupon: coupon?.code ?? null,
    nonce,
    deviceData,
    experiment,
    arm,
    terms,
    state: 'open',
    openedAt: now,
    dueAt: now,
    version: 1,
  };
}
