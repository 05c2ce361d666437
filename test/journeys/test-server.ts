import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { developmentVars } from '../../scripts/development-vars.ts';
import { migrate } from '../../scripts/migrate.ts';
import { sampleArchive, sampleTiles } from '../../scripts/sample-tiles.ts';
import { serve } from '../../scripts/serve.ts';
import { storeCode } from '../../worker/accounts/one-time-codes.ts';
import { signInKey } from '../../worker/console/parts/rules/sign-in-key.ts';
import { contentManifestKey, fileKey, mapName } from '../../worker/content/content-service.ts';
import { builtInDocuments } from '../../worker/experiments/rules/config-documents.ts';
import type { AccountId } from '../../worker/platform/types.ts';
import { createFakes, type Fakes } from '../fakes/index.ts';
import needsBuild from '../needs-build.ts';
import { pollTimeout } from '../poll-timeout.ts';
import { queuesAtOnce } from '../queues-at-once.ts';

/** A charge, in minor units. */
interface Paid {
  plan: string | undefined;
  amount: number;
  currency: string;
}

/** An outgoing request of the Worker. */
interface Sent {
  url: string;
  body: string;
}

/** The local funnel from the build, with its own state and fakes. */
export interface TestServer {
  /** `http://127.0.0.1:<port>`. */
  url: string;
  fakes: Fakes;
  /** All outgoing requests of the Worker, oldest first. */
  sent: Sent[];
  lines: string[];
  /** The gateway's charges to the customer with this e-mail, oldest first. */
  gatewayCaptures(email: string): Paid[];
  /** The ledger's charges of this account in D1, oldest first. */
  ledgerCaptures(email: string): Promise<Paid[]>;
  /** The kinds of all rows of this account's ledger in D1, sorted. */
  ledgerKinds(email: string): Promise<string[]>;
  /** Frees an e-mail for a retry. */
  forget(email: string): Promise<void>;
  /** Moves the start of an account's held offer into the past, once the page has requested its settings. */
  ageOffer(email: string, ms: number): Promise<void>;
  /** Deletes used intros and rate counts: all visitors of a run share one address and the test cards. */
  forgetLimits(): Promise<void>;
  /** Writes the configuration to KV, with the built-in catalog by default. */
  configure(config: object, flows?: object, catalog?: object): Promise<void>;
  /** Publishes English texts by key (`screens.common.terms`), and claims and reviews. */
  publish(texts: object, map: object): Promise<void>;
  /** Path of an account's link to the card page, as in the e-mail about a failed renewal. */
  cardLink(email: string): Promise<string>;
  /** Path of a link that opens the console once, as `npm start` prints it. */
  consoleLink(): Promise<string>;
  /** Makes a vendor respond with 503 to the Worker during `play`. */
  without(host: string, play: () => Promise<void>): Promise<void>;
  /** Restores the built-in documents. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

interface ServerOptions {
  vars: Record<string, string>;
  country: string;
  state?: string;
  /** Part of every configuration unless it is overridden. */
  config?: object;
}

const freeing = `
  UPDATE accounts SET email = hex(randomblob(8)), email_key = hex(randomblob(8))
  WHERE email_key = ?`;

const ledgerOf = `
  SELECT attempts.plan, ledger.amount, lower(ledger.currency) AS currency
  FROM ledger JOIN attempts ON attempts.id = attempt_id JOIN accounts ON accounts.id = ledger.account_id
  WHERE accounts.email = ? AND ledger.kind = 'capture' ORDER BY occurred_at`;

const kindsOf = `
  SELECT ledger.kind FROM ledger JOIN accounts ON accounts.id = ledger.account_id
  WHERE accounts.email = ? ORDER BY ledger.kind`;

/**
 * Opens a server on a free port. The build must be in `dist`.
 * @param vars variables that replace those of development
 * @param country the location of every visitor, ISO 3166 alpha-2
 * @param state folder of the server's storage; in memory by default
 */
export async function startServer({
  vars,
  country,
  state,
  config: common = {},
}: ServerOptions): Promise<TestServer> {
  needsBuild();
  const fakes = createFakes();
  const sent: Sent[] = [];
  const lines: string[] = [];
  let downHost = '';
  const server = serve({
    port: 0,
    country,
    state,
    queueConsumers: queuesAtOnce('dist/worker/wrangler.json'),
    // The browser uses the vendors' real hosts; the visit routes them to the fakes.
    vars: { ...developmentVars, FAKES_URL: '', ...vars },
    outside: async (request) => {
      sent.push({ url: request.url, body: await request.clone().text() });
      if (new URL(request.url).hostname === downHost) {
        return Response.json({ error: { type: 'api_error' } }, { status: 503 });
      }
      return fakes.fetch(request);
    },
    onLog: (line) => {
      lines.push(line);
      console.log(line);
    },
  });
  const { origin } = await server.ready;
  const db = await server.getD1Database('DB', 'funnel');
  await migrate(server);
  await (await server.getR2Bucket('TILES', 'funnel')).put(sampleTiles, sampleArchive());
  const kv = await server.getKVNamespace('FUNNEL', 'funnel');
  const builtIn = {
    config: { ...common, ...JSON.parse(builtInDocuments['config.json']) },
    flows: JSON.parse(builtInDocuments['flows.json']),
  };
  for (const [name, document] of Object.entries(builtIn))
    await kv.put(`${name}.json`, JSON.stringify(document));
  let restored = true;
  let writes = 0;
  const write = async (config: object, flows: { aliases?: object }, catalog?: object) => {
    if (catalog) await kv.put('catalog.json', JSON.stringify(catalog));
    else await kv.delete('catalog.json');
    await kv.put('flows.json', JSON.stringify(flows));
    await kv.put('config.json', JSON.stringify({ ...common, ...config }));
    // A new alias is published last; once it is visible, so is everything else.
    const written = `written_${++writes}`;
    const aliases = { ...flows.aliases, [written]: 'one_pager' };
    await kv.put('flows.json', JSON.stringify({ ...flows, aliases }));
    await expect
      .poll(async () => (await fetch(`${origin}/flows.json`)).json(), pollTimeout)
      .toHaveProperty(['aliases', written]);
  };
  return {
    url: origin,
    async cardLink(email) {
      const found = db.prepare('SELECT id AS account, epoch FROM accounts WHERE email = ?');
      const owner = await found.bind(email).first<{ account: AccountId; epoch: number }>();
      if (!owner) throw new Error(email);
      const code = randomBytes(16).toString('base64url');
      const codeOwner = { ...owner, purpose: 'card', lifetimeMs: 60_000 } as const;
      await storeCode(db as never, code, codeOwner, Date.now());
      return `/manage/card#${code}`;
    },
    async consoleLink() {
      const code = randomUUID();
      await kv.put(signInKey(code), 'unused');
      return `/console/sign-in?code=${code}`;
    },
    fakes,
    sent,
    lines,
    gatewayCaptures: (email) => {
      const { customers } = fakes.stripe.state;
      const mine = Object.values(customers).filter((customer) => customer.email === email);
      const ids = new Set<string | null>(mine.map(({ id }) => id));
      return fakes.stripe
        .captures()
        .filter(({ customer }) => ids.has(customer))
        .map(({ metadata, amount, currency }) => ({ plan: metadata.plan, amount, currency }));
    },
    ledgerCaptures: async (email) => {
      const { results } = await db.prepare(ledgerOf).bind(email).all<Paid>();
      return results;
    },
    ledgerKinds: async (email) => {
      const { results } = await db.prepare(kindsOf).bind(email).all<{ kind: string }>();
      return results.map(({ kind }) => kind);
    },
    forget: async (email) => {
      await db.prepare(freeing).bind(email.toLowerCase()).run();
    },
    ageOffer: async (email, ms) => {
      const aged = db.prepare(
        'UPDATE accounts SET offer_started_at = offer_started_at - ? WHERE email = ? AND offer_started_at IS NOT NULL RETURNING id',
      );
      await expect.poll(() => aged.bind(ms, email).first(), pollTimeout).not.toBeNull();
    },
    forgetLimits: async () => {
      await db.batch(['intros', 'rate_counts'].map((table) => db.prepare(`DELETE FROM ${table}`)));
    },
    configure: async (config, flows = { flows: {} }, catalog = undefined) => {
      restored = false;
      await write(config, flows, catalog);
    },
    publish: async (texts, map) => {
      const timestamp = Date.now();
      await kv.put(fileKey(timestamp, 'en'), JSON.stringify(texts));
      await kv.put(fileKey(timestamp, mapName), JSON.stringify(map));
      const files = ['en', mapName];
      await kv.put(contentManifestKey, JSON.stringify({ timestamp, files }));
    },
    without: async (host, play) => {
      downHost = host;
      await play().finally(() => {
        downHost = '';
      });
    },
    restore: async () => {
      if (restored) return;
      await write(builtIn.config, builtIn.flows);
      restored = true;
    },
    close: () => server.dispose(),
  };
}
