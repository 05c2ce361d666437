import type { PlanId } from '../../catalog/plans.ts';
import type { Env } from '../../env.ts';

export const threeDSecureOf = ({ REQUEST_THREE_D_SECURE }: Env): number =>
  Number(REQUEST_THREE_D_SECURE) || 0;

export const requestsThreeDSecure = (env: Env): boolean => threeDSecureOf(env) > 0;

export const offersPayPal = ({ PAYPAL }: Env): boolean =>
  PAYPAL === 'true' || PAYPAL === 'braintree';

const required = {
  Stripe: {
    variables: ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_PRODUCT'],
    secrets: ['STRIPE_SECRET_KEY'],
  },
  Braintree: {
    variables: ['BRAINTREE_MERCHANT_ID', 'BRAINTREE_PUBLIC_KEY'],
    secrets: ['BRAINTREE_PRIVATE_KEY'],
  },
} as const;

const stripePayPal =
  'PAYPAL=stripe cannot work: PayPal by Stripe needs a return address and a mandate, which are not ' +
  'sent. PAYPAL=braintree offers it by Braintree';

/** One sentence per problem. @param known `variables` where secrets cannot be read, as in a deploy */
export function paymentProblems(
  env: Partial<Env>,
  known: 'everything' | 'variables' = 'everything',
): string[] {
  const problems: string[] = [];
  const used: string[] = [];
  for (const [name, { variables, secrets }] of Object.entries(required)) {
    const all = known === 'everything' ? [...variables, ...secrets] : variables;
    const missing = all.filter((key) => !env[key as keyof Env]);
    if (missing.length < all.length) used.push(name);
    if (missing.length > 0 && missing.length < all.length) {
      problems.push(`${name} cannot take payments without ${missing.join(', ')}`);
    }
  }
  const preferred = env.PAYMENT_GATEWAY === 'braintree' ? 'Braintree' : 'Stripe';
  if (env.PAYMENT_GATEWAY && !['stripe', 'braintree'].includes(env.PAYMENT_GATEWAY)) {
    problems.push('PAYMENT_GATEWAY is neither stripe nor braintree');
  } else if (env.PAYMENT_GATEWAY && used.length > 0 && !used.includes(preferred)) {
    problems.push(`PAYMENT_GATEWAY=${env.PAYMENT_GATEWAY}, but ${preferred} is not set up`);
  }
  if (known === 'everything' && used.length === 0) {
    problems.push('no payment provider is set up: neither Stripe nor Braintree');
  }
  if (env.PAYPAL === 'stripe') problems.push(stripePayPal);
  return problems;
}

export interface PriceCheck {
  plan: PlanId;
  price: string | null;
  problems: string[];
}

export const differs = (name: string, actual: unknown, expected: unknown): string[] =>
  actual === expected ? [] : [`${name} is ${actual ?? 'none'}, not ${expected ?? 'none'}`];
