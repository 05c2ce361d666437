import type { Currency } from '../../../catalog/markets.ts';
import type { Env } from '../../../env.ts';
import { requestsThreeDSecure } from '../settings.ts';

/** Which cards are verified by 3-D Secure before a charge; `asked` for those whose bank requires it. */
type ThreeDSecure = 'always' | 'europe' | 'asked';

export interface Account {
  rest: string;
  graphql: string;
  authorization: string;
  publicKey: string;
  privateKey: string;
  merchantAccount(currency: Currency): string | undefined;
  planId(plan: string): string;
  threeDSecure: ThreeDSecure;
}

const hosts = {
  production: ['api.braintreegateway.com', 'payments.braintree-api.com'],
  sandbox: ['api.sandbox.braintreegateway.com', 'payments.sandbox.braintree-api.com'],
} as const;

const rules: readonly string[] = ['always', 'europe', 'asked'] satisfies ThreeDSecure[];

function parseMap(text: string | undefined): Record<string, string> {
  return text ? JSON.parse(text) : {};
}

export function hasBraintree(env: Env): boolean {
  return Boolean(
    env.BRAINTREE_MERCHANT_ID && env.BRAINTREE_PUBLIC_KEY && env.BRAINTREE_PRIVATE_KEY,
  );
}

/** @throws RangeError without an account, SyntaxError when a map is not JSON */
export function braintreeCredentials(env: Env): Account {
  const { BRAINTREE_PUBLIC_KEY: publicKey, BRAINTREE_PRIVATE_KEY: privateKey } = env;
  if (!hasBraintree(env) || !publicKey || !privateKey) throw new RangeError('no Braintree account');
  const [rest, graphql] =
    hosts[env.BRAINTREE_ENVIRONMENT === 'production' ? 'production' : 'sandbox'];
  const accounts = parseMap(env.BRAINTREE_MERCHANT_ACCOUNTS);
  const plans = parseMap(env.BRAINTREE_PLANS);
  const rule = requestsThreeDSecure(env) ? 'always' : (env.BRAINTREE_THREE_D_SECURE ?? '');
  return {
    rest: `https://${rest}/merchants/${env.BRAINTREE_MERCHANT_ID}`,
    graphql: `https://${graphql}/graphql`,
    authorization: `Basic ${btoa(`${publicKey}:${privateKey}`)}`,
    publicKey,
    privateKey,
    merchantAccount: (currency) => accounts[currency],
    planId: (plan) => plans[plan] ?? plan,
    threeDSecure: rules.includes(rule) ? (rule as ThreeDSecure) : 'europe',
  };
}
