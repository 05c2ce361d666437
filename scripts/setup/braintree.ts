import braintree from 'braintree';
import type { Catalog } from '../../worker/catalog/rules/catalog.ts';
import { type Currency, isBraintreeCurrency } from '../../worker/catalog/rules/currencies.ts';
import {
  type BraintreeConfig,
  braintreeCredentials,
  rest,
} from '../../worker/payments/gateways/braintree/client.ts';
import { createClientToken } from '../../worker/payments/gateways/braintree/client-token-cache.ts';
import { checkPlans } from '../../worker/payments/gateways/braintree/plan-check.ts';
import { braintreeEvents } from '../../worker/payments/gateways/braintree/webhook.ts';
import { childOf, textOf } from '../../worker/payments/gateways/braintree/xml.ts';
import type { Env } from '../../worker/platform/env.ts';
import { messageOf } from '../../worker/platform/log.ts';
import { CommandError } from '../command.ts';

type Offered = readonly Currency[];

async function planProblems(config: BraintreeConfig, { plans }: Catalog): Promise<string[]> {
  const checks = await checkPlans(
    config,
    plans.filter(({ currency }) => isBraintreeCurrency(currency)),
  );
  return checks.flatMap(({ plan, price, problems, missing }) => {
    const advice = missing
      ? `Create ${missing.plan} under Subscriptions: ${missing.fields}.`
      : 'Change it under Subscriptions.';
    return problems.map((problem) => `Plan ${price} (${plan}): ${problem}. ${advice}`);
  });
}

async function merchantAccountProblems(
  config: BraintreeConfig,
  offered: Offered,
): Promise<string[]> {
  const problems: string[] = [];
  for (const currency of offered) {
    const id = config.merchantAccount(currency);
    if (!id) {
      problems.push(`BRAINTREE_MERCHANT_ACCOUNTS has no merchant account for ${currency}.`);
      continue;
    }
    const reply = await rest(config, `GET /merchant_accounts/${encodeURIComponent(id)}`);
    if (reply.kind !== 'done') {
      problems.push(`Merchant account ${id} for ${currency} does not exist.`);
      continue;
    }
    const found = childOf(reply.body, 'merchant-account');
    const [actual, status] = [textOf(found, 'currency-iso-code'), textOf(found, 'status')];
    if (actual !== currency)
      problems.push(`Merchant account ${id} takes ${actual}, not ${currency}.`);
    if (status !== 'active') problems.push(`Merchant account ${id} is ${status}, not active.`);
  }
  return problems;
}

interface Configuration {
  creditCard: { threeDSecureEnabled: boolean } | null;
  applePayWeb: { merchantIdentifier: string } | null;
}

const query = `query ClientConfiguration {
  clientConfiguration { creditCard { threeDSecureEnabled } applePayWeb { merchantIdentifier } }
}`;

/** The browser's configuration in a client token of this currency. */
async function configurationOf(
  env: Env,
  { graphql }: BraintreeConfig,
  currency: Currency,
): Promise<Configuration> {
  const token: {
    authorizationFingerprint: string;
  } = JSON.parse(atob(await createClientToken(env, currency)));
  const response = await fetch(graphql, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token.authorizationFingerprint}`,
      'braintree-version': '2018-05-08',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query, variables: {}, operationName: 'ClientConfiguration' }),
  });
  const { data }: { data: { clientConfiguration: Configuration } } = await response.json();
  return data.clientConfiguration;
}

async function clientProblems(
  env: Env,
  config: BraintreeConfig,
  offered: Offered,
): Promise<string[]> {
  const problems: string[] = [];
  for (const currency of offered) {
    const { creditCard, applePayWeb } = await configurationOf(env, config, currency);
    if (!creditCard?.threeDSecureEnabled) {
      problems.push(
        `3-D Secure is off for ${currency}. Turn it on under Account Settings, Processing.`,
      );
    }
    if (!applePayWeb) {
      problems.push(
        `Apple Pay is off for ${currency}. Turn it on under Account Settings, Processing.`,
      );
    }
  }
  return problems;
}

/** Sends the site a signed test notification, because Braintree's API cannot list webhooks. */
async function webhookProblems(env: Env, site: string): Promise<string[]> {
  const gateway = new braintree.BraintreeGateway({
    environment: braintree.Environment.Sandbox,
    merchantId: env.BRAINTREE_MERCHANT_ID ?? '',
    publicKey: env.BRAINTREE_PUBLIC_KEY ?? '',
    privateKey: env.BRAINTREE_PRIVATE_KEY ?? '',
  });
  const url = new URL('/webhooks/braintree', site).href;
  const { bt_signature, bt_payload } = await gateway.webhookTesting.sampleNotification(
    'check',
    'check',
  );
  const body = new URLSearchParams({ bt_signature, bt_payload });
  const refusal = await fetch(url, { method: 'POST', body }).then(
    ({ ok, status }) => (ok ? null : status),
    messageOf,
  );
  if (refusal === null) return [];
  return [
    `${url} does not accept a notification signed with these keys (${refusal}). ` +
      'Store the same keys with npm run deploy.',
  ];
}

/** A note for the person about the only setting that Braintree's API cannot check. */
export const webhookNotice = (site: string): string =>
  `Check by hand that ${new URL('/webhooks/braintree', site).href} is under API, Webhooks, with: ${braintreeEvents.join(', ')}.`;

/** Only reads. @returns one line for each required change */
export async function checkBraintree(env: Env, site: string, catalog: Catalog): Promise<string[]> {
  const missing = (['BRAINTREE_MERCHANT_ID', 'BRAINTREE_PUBLIC_KEY'] as const).filter(
    (name) => !env[name],
  );
  if (missing.length > 0) throw new CommandError(`Set in [vars]: ${missing.join(', ')}.`);
  const config = braintreeCredentials(env);
  try {
    const offered = catalog.currencies.filter(isBraintreeCurrency);
    const accounts = await merchantAccountProblems(config, offered);
    return [
      ...(await planProblems(config, catalog)),
      ...accounts,
      // A client token needs its merchant config.
      ...(accounts.length === 0 ? await clientProblems(env, config, offered) : []),
      ...(await webhookProblems(env, site)),
    ];
  } catch (error) {
    throw new CommandError(`Braintree did not answer: ${messageOf(error)}. Run this again.`);
  }
}
