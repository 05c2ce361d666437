import { gatewayNames } from '../../catalog/rules/gateway-names.ts';
import type { PlanId } from '../../catalog/rules/plans.ts';
import type { Env } from '../../platform/env.ts';
import { gatewayTraits } from '../purchase/gateway-traits.ts';
import type { GatewayName } from '../purchase/state.ts';
import { taxProblems } from './tax-settings.ts';

export const threeDSecureOf = ({ REQUEST_THREE_D_SECURE }: Env): number =>
  Number(REQUEST_THREE_D_SECURE) || 0;

export const requestsThreeDSecure = (env: Env): boolean => threeDSecureOf(env) > 0;

export const offersPayPal = ({ PAYPAL }: Env): boolean =>
  PAYPAL === 'true' || PAYPAL === 'braintree';

interface Required {
  variables: readonly (keyof Env)[];
  secrets: readonly (keyof Env)[];
}

const required: Record<GatewayName, Required> = {
  stripe: {
    variables: ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_PRODUCT'],
    secrets: ['STRIPE_SECRET_KEY'],
  },
  braintree: {
    variables: ['BRAINTREE_MERCHANT_ID', 'BRAINTREE_PUBLIC_KEY'],
    secrets: ['BRAINTREE_PRIVATE_KEY'],
  },
};

const stripePayPal =
  'PAYPAL=stripe cannot work: stripe_wallets in config.json offers PayPal by Stripe, PAYPAL=braintree by Braintree';

/** One sentence per problem. @param known `variables` where secrets cannot be read, as in a deploy */
export function paymentProblems(
  env: Partial<Env>,
  known: 'everything' | 'variables' = 'everything',
): string[] {
  const problems: string[] = [];
  let isUsed = false;
  for (const name of gatewayNames) {
    const { variables, secrets } = required[name];
    const all = known === 'everything' ? [...variables, ...secrets] : variables;
    const missing = all.filter((key) => !env[key]);
    isUsed ||= missing.length < all.length;
    if (missing.length > 0 && missing.length < all.length) {
      problems.push(
        `${gatewayTraits[name].title} cannot take payments without ${missing.join(', ')}`,
      );
    }
  }
  if (known === 'everything' && !isUsed) {
    const titles = gatewayNames.map((name) => gatewayTraits[name].title);
    problems.push(`no payment provider is set up: neither ${titles.join(' nor ')}`);
  }
  if (env.PAYPAL === 'stripe') problems.push(stripePayPal);
  problems.push(...taxProblems(env));
  return problems;
}

export interface PriceCheck {
  plan: PlanId;
  price: string | null;
  problems: string[];
  /** What to create at the provider, and the fields that several have in common; absent if orders need nothing. */
  missing?: { plan: string; fields: string };
}

export const differs = (name: string, actual: unknown, expected: unknown): string[] =>
  actual === expected ? [] : [`${name} is ${actual ?? 'none'}, not ${expected ?? 'none'}`];

/** How a provider retries unpaid renewals, as far as it can be read. */
export interface RetryCheck {
  settings: string;
  /** Unpaid renewals that will be retried, and that will not; null if this cannot be read. */
  planned: number | null;
  unplanned: number | null;
  /** Days until the last known retry. */
  furthestDays: number | null;
}
