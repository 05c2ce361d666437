import type { Discount } from '../../catalog/coupons.ts';
import type { Market } from '../../catalog/markets.ts';
import type { Plan } from '../../catalog/plans.ts';
import { minor, subtract } from '../../types.ts';
import { type Attempt, type GatewayName, sendLimitMs } from './attempt.ts';

/** The text beside the button, stored with the purchase as evidence. */
export interface Terms {
  /** Line by line, the button's label last. */
  text: string;
  /** The page's version of the text; null when the page sent none, then `text` is the current one. */
  version: string | null;
  language: string;
  market: Market['id'];
  /** IANA name of the zone of the days in the text. */
  timeZone: string;
  at: number;
}

export interface Buyer {
  gateway: GatewayName;
  nonce: string | null;
  deviceData: string | null;
  coupon: Discount | null;
  experiment: string | null;
  arm: string;
  terms: Terms | null;
}

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

export const withAttemptDefaults = (stored: Attempt): Attempt => ({
  ...blank,
  // A build that did not write `sentAt` repeated the call until the limit.
  ...(stored.state === 'sent' ? { sentAt: stored.openedAt + sendLimitMs } : {}),
  ...stored,
});

export function newAttempt(
  plan: Plan,
  { gateway, nonce, deviceData, coupon, experiment, arm, terms }: Buyer,
  ids: Pick<Attempt, 'id' | 'pollingId'>,
  now: number,
): Attempt {
  return {
    ...blank,
    ...ids,
    gateway,
    slot: plan.slot,
    plan: plan.id,
    amount: subtract(plan.today, coupon?.discount ?? minor(0)),
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
