import { billedPeriods } from '../../catalog/rules/gateway-names.ts';
import type { Plan } from '../../catalog/rules/plans.ts';
import type { Unsold } from '../../documents/manifest.ts';
import { dayMs, hourMs } from '../../platform/durations.ts';
import type { GatewayName } from './state.ts';

interface GatewayTraits {
  title: string;
  /** The bank verifies the card before anything is charged, and the gateway then gives a new nonce. */
  verifiesBeforeCharge: boolean;
  /** It has idempotency keys. Otherwise a charge is sent once, then only looked up. */
  repeatsCharges: boolean;
  /** An unavailable charge may leave an unpaid subscription. Otherwise nothing of it exists. */
  leavesUnpaid: boolean;
  /** One-time payments wait for our confirmation after the challenge; an invoice's is confirmed by the bank's page. */
  confirmsAfterChallenge: boolean;
  /** A charge can be cancelled before it is found. */
  cancelsUnseen: boolean;
  /** A cancellation can be undone. Otherwise a new subscription continues it. */
  resumes: boolean;
  /** A cancellation is undone no later than this before it takes effect. */
  lastResumeMs: number;
  /** It takes bank methods and wallets that lead to another page. */
  redirects: boolean;
  /** It can renew a plan of this period. */
  bills: (plan: Pick<Plan, 'period'>) => boolean;
  /** An API returns its fees. Otherwise only its statements do. */
  reportsFees: boolean;
}

/** What the rules know of each gateway. A rule asks for a trait, never for a name. */
export const gatewayTraits: Readonly<Record<GatewayName, GatewayTraits>> = {
  stripe: {
    title: 'Stripe',
    verifiesBeforeCharge: false,
    repeatsCharges: true,
    leavesUnpaid: true,
    confirmsAfterChallenge: true,
    cancelsUnseen: true,
    resumes: true,
    // Stripe may already be ending it.
    lastResumeMs: hourMs,
    redirects: true,
    bills: ({ period }) => billedPeriods.stripe.includes(period),
    reportsFees: true,
  },
  braintree: {
    title: 'Braintree',
    verifiesBeforeCharge: true,
    repeatsCharges: false,
    leavesUnpaid: false,
    confirmsAfterChallenge: false,
    cancelsUnseen: false,
    resumes: false,
    // The first day of the new subscription must be in the future.
    lastResumeMs: dayMs,
    redirects: false,
    bills: ({ period }) => billedPeriods.braintree.includes(period),
    reportsFees: false,
  },
};

/** Whether a gateway sells a plan now. @param unsold what publishing found that it does not */
export const sells = (
  name: GatewayName,
  { id, period }: Pick<Plan, 'id' | 'period'>,
  unsold: Unsold,
): boolean => gatewayTraits[name].bills({ period }) && !unsold[name]?.includes(id);
