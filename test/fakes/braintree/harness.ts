import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import braintree from 'braintree';
import type { Env } from '../../../worker/env.ts';
import { merchant } from './client-api.ts';
import { type BraintreeFake, createBraintree } from './server.ts';

/** A Braintree, our variables for it, and its official client. */
export interface Target {
  env: Env;
  sdk: braintree.BraintreeGateway;
  /** Where our own calls go. */
  fetch: typeof fetch;
  /** The fake itself; none when the real one is asked. */
  fake?: BraintreeFake;
  /** Lets so many ms pass there: the search is behind. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

const { LIVE, BRAINTREE_LIVE_MERCHANT_ID, BRAINTREE_LIVE_PUBLIC_KEY, BRAINTREE_LIVE_PRIVATE_KEY } =
  process.env;

const unset = Object.entries({
  BRAINTREE_LIVE_MERCHANT_ID,
  BRAINTREE_LIVE_PUBLIC_KEY,
  BRAINTREE_LIVE_PRIVATE_KEY,
}).flatMap(([name, value]) => (value ? [] : [name]));

/** Why the real sandbox is not asked; null when it is: `npm run test:full -- --live` with its three keys. */
export const notLive: string | null = !LIVE
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

/** The fake behind a port of this machine, because the official client speaks only through one. */
export async function fakeTarget(): Promise<Target> {
  let ahead = 0;
  const fake = createBraintree({ now: () => Date.now() + ahead });
  const server = createServer(async (asked, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk);
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
    const headers = Object.entries(asked.headers).map(([name, value]) => [name, String(value)]);
    const response = await fake.fetch(`https://api.sandbox.braintreegateway.com${asked.url}`, {
      method: asked.method,
      headers: headers as [string, string][],
      body,
    });
    answer.writeHead(response.status, Object.fromEntries(response.headers));
    answer.end(Buffer.from(await response.arrayBuffer()));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
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
    close: () => new Promise((done) => void server.close(() => done())),
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
    close: async () => undefined,
  };
}
