import braintree from 'braintree';
import type { Env } from '../../../worker/platform/env.ts';
import { serveFake } from '../serve-fake.ts';
import { merchant } from './client-api.ts';
import { type BraintreeFake, createBraintree } from './server.ts';

/** A Braintree, our variables for it, and its official client. */
export interface Target {
  env: Env;
  sdk: braintree.BraintreeGateway;
  /** The destination of our own calls. */
  fetch: typeof fetch;
  /** The fake itself; missing when the real sandbox is called. */
  fake?: BraintreeFake;
  /** Lets this many ms pass there, because the search lags. */
  pass(ms: number): Promise<void>;
  close(): void;
}

const { LIVE, BRAINTREE_LIVE_MERCHANT_ID, BRAINTREE_LIVE_PUBLIC_KEY, BRAINTREE_LIVE_PRIVATE_KEY } =
  process.env;

const unset = Object.entries({
  BRAINTREE_LIVE_MERCHANT_ID,
  BRAINTREE_LIVE_PUBLIC_KEY,
  BRAINTREE_LIVE_PRIVATE_KEY,
}).flatMap(([name, value]) => (value ? [] : [name]));

/** Why the real sandbox is not called; null when it is: `npm run test:full -- --live` with its three keys. */
export const skipReason: string | null = !LIVE
  ? 'not run with --live'
  : unset.length > 0
    ? `${unset.join(', ')} not set`
    : null;

function sdkOf(environment: braintree.Environment, keys: Keys) {
  const { id: merchantId, publicKey, privateKey } = keys;
  return new braintree.BraintreeGateway({ environment, merchantId, publicKey, privateKey });
}

interface Keys {
  id: string;
  publicKey: string;
  privateKey: string;
}

const variables = ({ id, publicKey, privateKey }: Keys) =>
  ({
    BRAINTREE_MERCHANT_ID: id,
    BRAINTREE_PUBLIC_KEY: publicKey,
    BRAINTREE_PRIVATE_KEY: privateKey,
    BRAINTREE_ENVIRONMENT: 'sandbox',
    BRAINTREE_MERCHANT_ACCOUNTS: process.env.BRAINTREE_LIVE_MERCHANT_ACCOUNTS,
    BRAINTREE_PLANS: process.env.BRAINTREE_LIVE_PLANS,
  }) as Env;

/** @param now the clock that `pass` advances */
export async function fakeTarget(now = () => Date.now()): Promise<Target> {
  let ahead = 0;
  const fake = createBraintree({ now: () => now() + ahead });
  const { port, close } = await serveFake('https://api.sandbox.braintreegateway.com', (url, init) =>
    fake.fetch(url, init),
  );
  const host = {
    server: '127.0.0.1',
    port,
    ssl: false,
    graphQLServer: '127.0.0.1',
    graphQLPort: port,
  };
  const environment = Object.assign(Object.create(braintree.Environment.Development), host);
  return {
    env: variables(merchant),
    sdk: sdkOf(environment, merchant),
    fetch: fake.fetch as typeof fetch,
    fake,
    pass: async (ms) => {
      ahead += ms;
    },
    close,
  };
}

/** Braintree’s own sandbox. */
export function liveTarget(): Target {
  const keys = {
    id: BRAINTREE_LIVE_MERCHANT_ID ?? '',
    publicKey: BRAINTREE_LIVE_PUBLIC_KEY ?? '',
    privateKey: BRAINTREE_LIVE_PRIVATE_KEY ?? '',
  };
  return {
    env: variables(keys),
    sdk: sdkOf(braintree.Environment.Sandbox, keys),
    fetch: globalThis.fetch,
    pass: (ms) => new Promise((done) => setTimeout(done, ms)),
    close() {},
  };
}
