import type { Discount } from '../../catalog/rules/coupons.ts';
import type { Plan } from '../../catalog/rules/plans.ts';
import { isRedirectWallet } from '../../catalog/rules/stripe-wallets.ts';
import { minor, subtract } from '../../platform/types.ts';
import { sendLimitMs } from './gateway-try.ts';
import type { Attempt, GatewayName } from './state.ts';

export interface Buyer
  extends Pick<Attempt, 'gateway' | 'nonce' | 'deviceData' | 'experiment' | 'arm' | 'terms'>,
    Partial<Pick<Attempt, 'arms' | 'bank' | 'wallet' | 'acceptance' | 'taxLocation'>> {
  others?: readonly GatewayName[];
  coupon: Discount | null;
}

const blank = {
  epoch: 0,
  coupon: null,
  reduction: null,
  nonce: null,
  challengedNonce: null,
  deviceData: null,
  taxLocation: null,
  isUntaxed: false,
  bank: null,
  wallet: null,
  acceptance: null,
  experiment: null,
  arms: '',
  terms: null,
  others: [],
  isRerouted: false,
  sentAt: null,
  chargedAt: null,
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

export const withAttemptDefaults = <T extends Pick<Attempt, 'state' | 'openedAt'>>(
  stored: T,
): T => ({
  ...blank,
  // Older builds did not store `sentAt`, and repeated the call until the limit.
  ...(stored.state === 'sent' ? { sentAt: stored.openedAt + sendLimitMs } : {}),
  ...stored,
});

export function newAttempt(
  plan: Plan,
  { gateway, others = [], nonce, deviceData, taxLocation = null, ...buyer }: Buyer,
  ids: Pick<Attempt, 'id' | 'pollingId'>,
  now: number,
): Attempt {
  const { coupon, experiment, arm, arms = '', terms } = buyer;
  const { bank = null, wallet = null, acceptance = null } = buyer;
  return {
    ...blank,
    ...ids,
    gateway,
    // A saved card exists only at its own gateway; a bank redirect and PayPal's agreement only at Stripe.
    others: nonce && !bank && !isRedirectWallet(wallet) ? [...others] : [],
    slot: plan.slot,
    plan,
    amount: subtract(plan.today, coupon?.discount ?? minor(0)),
    coupon: coupon?.code ?? null,
    reduction: coupon?.reduction ?? null,
    nonce,
    deviceData,
    taxLocation,
    bank,
    wallet,
    acceptance,
    experiment,
    arm,
    arms,
    terms,
    state: 'open',
    openedAt: now,
    dueAt: now,
    version: 1,
  };
}
