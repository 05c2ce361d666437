import type { Env } from '../../env.ts';

/** What a provider needs to take payments: variables, and a secret. */
const needs = {
  Stripe: {
    variables: ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_PRODUCT'],
    secrets: ['STRIPE_SECRET_KEY'],
  },
  Braintree: {
    variables: ['BRAINTREE_MERCHANT_ID', 'BRAINTREE_PUBLIC_KEY'],
    secrets: ['BRAINTREE_PRIVATE_KEY'],
  },
} as const;

const paypal =
  'PAYPAL=stripe cannot work: PayPal by Stripe needs a return address and a mandate, which are not ' +
  'sent. PAYPAL=braintree offers it by Braintree';

/**
 * What is wrong with how payments are configured, a sentence each. A provider that is not set at all is
 * not used; one must be.
 *
 * @param known `variables` where the secrets cannot be read, as in a deploy
 */
export function paymentProblems(
  env: Partial<Env>,
  known: 'everything' | 'variables' = 'everything',
): string[] {
  const problems: string[] = [];
  const used: string[] = [];
  for (const [name, { variables, secrets }] of Object.entries(needs)) {
    const all = known === 'everything' ? [...variables, ...secrets] : variables;
    const missing = all.filter((key) => !env[key as keyof Env]);
    if (missing.length < all.length) used.push(name);
    if (missing.length > 0 && missing.length < all.length) {
      problems.push(`${name} cannot take payments without ${missing.join(', ')}`);
    }
  }
  const wanted = env.PAYMENT_GATEWAY === 'braintree' ? 'Braintree' : 'Stripe';
  if (env.PAYMENT_GATEWAY && !['stripe', 'braintree'].includes(env.PAYMENT_GATEWAY)) {
    problems.push('PAYMENT_GATEWAY is neither stripe nor braintree');
  } else if (env.PAYMENT_GATEWAY && used.length > 0 && !used.includes(wanted)) {
    problems.push(`PAYMENT_GATEWAY=${env.PAYMENT_GATEWAY}, but ${wanted} is not set up`);
  }
  if (known === 'everything' && used.length === 0) {
    problems.push('no payment provider is set up: neither Stripe nor Braintree');
  }
  if (env.PAYPAL === 'stripe') problems.push(paypal);
  return problems;
}
