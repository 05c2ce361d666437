import { type Currency, isBraintreeCurrency } from '../../../catalog/rules/currencies.ts';
import type { Env } from '../../../platform/env.ts';
import { isOneOf } from '../../../platform/keys.ts';
import { fieldsIn, jsonIn } from '../../../platform/read-json.ts';
import { sleep } from '../../../platform/with-timeout.ts';
import type { TaxRates } from '../../purchase/tax.ts';
import { requestsThreeDSecure } from '../settings.ts';
import { taxRatesOf } from '../tax-settings.ts';
import { parseXml, type Xml } from './xml.ts';

type ThreeDSecure = 'always' | 'europe' | 'on_request';

interface MerchantAccounts {
  merchantAccount(currency: Currency): string | undefined;
  /** USD for an unknown account: a currency without its own account has two decimals. */
  currencyOf(merchantAccount: string): string;
}

export interface BraintreeConfig extends MerchantAccounts {
  rest: string;
  graphql: string;
  authorization: string;
  publicKey: string;
  privateKey: string;
  /** A price overrides that of the plan, so the versions of a product share one. */
  planId(plan: string): string;
  threeDSecure: ThreeDSecure;
  taxRates: TaxRates;
  /** See `gatewayOf`. */
  signal?: AbortSignal | undefined;
}

const hosts = {
  production: ['api.braintreegateway.com', 'payments.braintree-api.com'],
  sandbox: ['api.sandbox.braintreegateway.com', 'payments.sandbox.braintree-api.com'],
} as const;

const isRule = isOneOf<ThreeDSecure>(['always', 'europe', 'on_request']);

function parseMap(text: string | undefined): Record<string, string> {
  return text ? JSON.parse(text) : {};
}

const accountsIn = (accounts: Readonly<Record<string, unknown>>): MerchantAccounts => ({
  merchantAccount: (currency) => accounts[currency] as string | undefined,
  currencyOf: (id) => Object.entries(accounts).find(([, account]) => account === id)?.[0] ?? 'USD',
});

export function hasBraintree(env: Env): boolean {
  return Boolean(
    env.BRAINTREE_MERCHANT_ID && env.BRAINTREE_PUBLIC_KEY && env.BRAINTREE_PRIVATE_KEY,
  );
}

/** @throws RangeError without an account, SyntaxError when a map is not JSON */
export function braintreeCredentials(env: Env): BraintreeConfig {
  const { BRAINTREE_PUBLIC_KEY: publicKey, BRAINTREE_PRIVATE_KEY: privateKey } = env;
  if (!hasBraintree(env) || !publicKey || !privateKey) throw new RangeError('no Braintree account');
  const [rest, graphql] =
    hosts[env.BRAINTREE_ENVIRONMENT === 'production' ? 'production' : 'sandbox'];
  const plans = parseMap(env.BRAINTREE_PLANS);
  const rule = requestsThreeDSecure(env) ? 'always' : (env.BRAINTREE_THREE_D_SECURE ?? '');
  return {
    rest: `https://${rest}/merchants/${env.BRAINTREE_MERCHANT_ID}`,
    graphql: `https://${graphql}/graphql`,
    authorization: `Basic ${btoa(`${publicKey}:${privateKey}`)}`,
    publicKey,
    privateKey,
    ...accountsIn(parseMap(env.BRAINTREE_MERCHANT_ACCOUNTS)),
    planId(plan) {
      const product = plan.replace(/@\d+/, '');
      return plans[plan] ?? plans[product] ?? product;
    },
    taxRates: taxRatesOf(env),
    threeDSecure: isRule(rule) ? rule : 'europe',
  };
}

/** A currency without its own merchant account would be charged in the default account's currency. */
export const hasMerchantAccount = (config: MerchantAccounts, currency: Currency): boolean =>
  config.currencyOf(config.merchantAccount(currency) ?? '') === currency;

/** Also while the variable is not JSON: then only USD, in the default account. */
export const settles = ({ BRAINTREE_MERCHANT_ACCOUNTS }: Env, currency: Currency): boolean =>
  isBraintreeCurrency(currency) &&
  hasMerchantAccount(accountsIn(fieldsIn(jsonIn(BRAINTREE_MERCHANT_ACCOUNTS))), currency);

const timeoutMs = 20_000;
const maxRetries = 2;
const retryDelayMs = 200;

/** `once` for a call that could move money twice if it were repeated after a lost reply. */
type Delivery = 'once' | 'repeatable';

export type RestReply =
  | { kind: 'done'; body: Xml }
  | { kind: 'refused'; codes: string[]; body: Xml }
  | { kind: 'missing' };

export type GraphqlReply<T> = { kind: 'done'; data: T } | { kind: 'refused'; codes: string[] };

/** Rejected before execution (developer.paypal.com/braintree/docs/reference/general/exceptions). */
const unexecutedStatuses = new Set([401, 403, 429]);
const unexecutedClasses = new Set(['AUTHENTICATION', 'AUTHORIZATION', 'RESOURCE_LIMIT']);

export class BraintreeAmbiguousError extends Error {
  override readonly name = 'BraintreeAmbiguousError';
  readonly code: string;
  /** Whether Braintree stated that it did not execute the call. */
  readonly isUnexecuted: boolean;
  constructor(code: string, isUnexecuted = false) {
    super(`Braintree: ${code}`);
    this.code = code;
    this.isUnexecuted = isUnexecuted;
  }
}

async function send(
  url: string,
  init: RequestInit,
  delivery: Delivery,
  ended?: AbortSignal,
): Promise<Response> {
  ended?.throwIfAborted();
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(ended ? [ended] : [])]);
  for (let retries = delivery === 'once' ? 0 : maxRetries; ; retries -= 1) {
    try {
      return await fetch(url, { ...init, signal });
    } catch (error) {
      if (retries === 0 || signal.aborted) throw error;
    }
    await sleep(retryDelayMs);
  }
}

function validationCodes(xml: Xml): string[] {
  if (Array.isArray(xml)) return xml.flatMap(validationCodes);
  if (typeof xml !== 'object' || xml === null) return [];
  return Object.entries(xml).flatMap(([name, value]) =>
    name === 'code' && typeof value === 'string' ? [value] : validationCodes(value),
  );
}

/** JSON in, XML out. Retried unless `once`. @throws BraintreeAmbiguousError for other statuses; fetch's own errors */
export async function rest(
  { rest: base, authorization, signal }: BraintreeConfig,
  call: `${'GET' | 'POST' | 'PUT'} /${string}`,
  body?: object,
  delivery: Delivery = 'repeatable',
): Promise<RestReply> {
  const [method = '', path = ''] = call.split(' ');
  const init = {
    method,
    headers: {
      authorization,
      accept: 'application/xml',
      'content-type': 'application/json',
      'x-apiversion': '6',
    },
    body: body && JSON.stringify(body),
  };
  const response = await send(`${base}${path}`, init, delivery, signal);
  const { status } = response;
  const text = await response.text();
  if (status === 404) return { kind: 'missing' };
  if (status === 422) {
    const refusal = parseXml(text);
    return { kind: 'refused', codes: validationCodes(refusal), body: refusal };
  }
  if (status !== 200 && status !== 201) throw new BraintreeAmbiguousError(`http ${status}`);
  return { kind: 'done', body: text.trim() ? parseXml(text) : null };
}

interface GraphqlError {
  message: string;
  path?: (string | number)[];
  extensions?: { errorClass?: string; legacyCode?: string };
}

const definiteClasses = new Set(['VALIDATION', 'NOT_FOUND']);

/** An error of the call itself. An error of a nested field does not say whether the call was executed. */
const isDefinite = ({ path = [], extensions }: GraphqlError) =>
  path.length <= 1 && definiteClasses.has(extensions?.errorClass ?? '');

/** @throws {BraintreeAmbiguousError} when the answer is not definite; fetch's own errors */
export async function graphql<T>(
  { graphql: url, authorization, signal }: BraintreeConfig,
  query: string,
  variables: object,
  delivery: Delivery = 'repeatable',
): Promise<GraphqlReply<T>> {
  const init = {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      'braintree-version': '2019-01-01',
    },
    body: JSON.stringify({ query, variables }),
  };
  const response = await send(url, init, delivery, signal);
  const { ok, status } = response;
  if (!ok) throw new BraintreeAmbiguousError(`http ${status}`, unexecutedStatuses.has(status));
  const { data, errors = [] }: { data?: T; errors?: GraphqlError[] } = await response.json();
  if (errors.length === 0) {
    if (!data) throw new BraintreeAmbiguousError('no data');
    return { kind: 'done', data };
  }
  const ambiguous = errors.find((error) => !isDefinite(error));
  if (ambiguous) {
    const { errorClass = 'no class' } = ambiguous.extensions ?? {};
    throw new BraintreeAmbiguousError(errorClass, unexecutedClasses.has(errorClass) && !data);
  }
  return {
    kind: 'refused',
    codes: errors.map(({ extensions }) => extensions?.legacyCode ?? extensions?.errorClass ?? ''),
  };
}
