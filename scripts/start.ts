import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Miniflare } from 'miniflare';
import { unstable_readConfig as readConfig } from 'wrangler';
import { createFakes } from '../test/fakes/index.ts';
import { signInKey } from '../worker/console/parts/rules/sign-in-key.ts';
import { CommandError, npmCommand, print, runCommand, wholeNumber } from './command.ts';
import { developmentBuild, type Rebuild, watchSources } from './dev-build.ts';
import { developmentDocuments } from './development-documents.ts';
import { developmentVars, networkVars, sampleCompany } from './development-vars.ts';
import { defaultState, recordServer, serverOf } from './local-server.ts';
import { siteAt } from './ops/admin-client.ts';
import { refuseBrokenPayments } from './refuse-payments.ts';
import { insertSample, removeSample, type SampleStores } from './sample/insert.ts';
import { sampleArchive, sampleTiles } from './sample-tiles.ts';
import { readableLine, restart, type ServeOptions, serve } from './serve.ts';
import { databases } from './wrangler.ts';

interface Options {
  port: number;
  state: string;
  country: string;
  empty: boolean;
  watch: boolean;
}

/** Interval for publishing documents scheduled in the console. */
const publicationsMs = 20_000;

/** Runs one step of the start and prints its duration; a failed step ends the command. */
async function step<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  const began = performance.now();
  const done = await work();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  print(`  ✓ ${name.padEnd(8)} ${seconds} s`);
  return done;
}

function run(command: string, args: string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}`);
  process.exit(1);
}

const isTaken = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(true));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(false)));
  });

function migrate(state: string): void {
  const config = ['--config', 'wrangler.toml', '--persist-to', state];
  for (const database of databases) {
    run('wrangler', ['d1', 'migrations', 'apply', database, '--local', ...config]);
  }
}

/** @throws CommandError */
async function refuseIfTaken({ port, state }: Options): Promise<void> {
  const other = serverOf(state);
  if (other) {
    throw new CommandError(
      `The server at ${other.url} uses the data in ${state}. Stop it, or choose another folder: npm start -- --state .wrangler/other`,
    );
  }
  if (await isTaken(port)) {
    throw new CommandError(
      `Port ${port} is in use. Choose another one: npm start -- --port ${port + 1}`,
    );
  }
}

/** Builds once, in another process; with `watch` in this one, which then builds again what changes. */
async function build({ watch, state }: Options): Promise<Rebuild | null> {
  if (!watch) {
    run('vite', ['build', '--mode', 'development', '--logLevel', 'error']);
    return null;
  }
  const folder = `${state}/build`;
  rmSync(folder, { recursive: true, force: true });
  const rebuild = await developmentBuild(folder);
  await rebuild(new Set());
  return rebuild;
}

/** Logs are readable in a terminal and JSON in a pipe. */
const printLog = (line: string) => print(process.stdout.isTTY ? readableLine(line) : line);

/** Stores documents that can be read and edited with `wrangler kv key`, sample data and the sign-in code. */
async function storeAll(server: Miniflare, code: string, empty: boolean) {
  const kv = await server.getKVNamespace('FUNNEL');
  for (const [key, text] of Object.entries(developmentDocuments)) {
    if ((await kv.get(key)) === null) await kv.put(key, text);
  }
  await kv.put(signInKey(code), 'unused');
  const tiles = await server.getR2Bucket('TILES');
  await tiles.put(sampleTiles, sampleArchive());
  const stores = {
    kv,
    db: await server.getD1Database('DB'),
    analytics: await server.getD1Database('ANALYTICS'),
    // Miniflare's types are narrower than the platform's.
  } as unknown as SampleStores;
  return empty ? removeSample(stores) : insertSample(stores, Date.now());
}

const varsFor = (adminToken: string) => ({
  ...developmentVars,
  ...networkVars,
  ...sampleCompany,
  PAYPAL: 'true',
  ADMIN_TOKEN: adminToken,
});

/** Publishes what is due; on Cloudflare the cron handler does this. @returns a function that ends it */
function publishScheduled(local: string, adminToken: string): () => void {
  const site = siteAt(local, adminToken, 'npm start');
  const publications = setInterval(
    () => site.post('/publications/due', {}).catch(() => {}),
    publicationsMs, // The next call repeats a failed one.
  );
  return () => clearInterval(publications);
}

function printAddresses(local: string, code: string, buyer: string | undefined): void {
  print(`
  The funnel runs on ${local}
  Console           ${local}/console/sign-in?code=${code} (works once)
${buyer ? `  Sample data       60 days, marked in the console; a buyer is ${buyer}\n` : ''}  Sent e-mails      ${local}/fakes/api.resend.com/inbox
  Sent SMS          ${local}/fakes/sms/
  Refund, dispute, renew or cancel a payment: ${local}/fakes/bank/
`);
}

async function start(options: Options): Promise<void> {
  const { port, state, country, empty } = options;
  refuseBrokenPayments(readConfig({ config: 'wrangler.toml' }).vars, 'started');
  await refuseIfTaken(options);
  const rebuild = await step('build', () => build(options));
  await step('migrate', () => migrate(state));
  // Of this start alone, so that a command for another folder's server is refused.
  const adminToken = randomUUID();
  const fakes = createFakes({ file: `${state}/fakes.json` });
  const served = (at: number): ServeOptions => ({
    port: at,
    state: `${state}/v3`,
    country,
    vars: varsFor(adminToken),
    outside: fakes.fetch,
    onLog: printLog,
  });
  const code = randomUUID();
  // Before the server accepts requests, so that the first one finds the stored data.
  const store = serve(served(0));
  const sample = await step('store', () => storeAll(store, code, empty));
  await store.dispose();
  const server = serve(served(port));
  const address = await step('serve', () => server.ready);
  const local = `http://localhost:${address.port}`;
  // Miniflare ends the process at a signal, so `stop` below may not run.
  process.on('exit', recordServer(state, { url: local, adminToken }));
  fakes.deliverTo({ origin: address.origin, secret: developmentVars.STRIPE_WEBHOOK_SECRET });
  printAddresses(local, code, sample?.buyer);
  if (rebuild) {
    watchSources((changed) =>
      step('rebuild', async () => {
        await rebuild(changed);
        await restart(server, served(port));
      }),
    );
  }
  const stopPublishing = publishScheduled(local, adminToken);
  const stop = async () => {
    stopPublishing();
    await server.dispose();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

export const program = npmCommand(
  'npm start --',
  'Builds, migrates and serves the funnel with fakes of all vendors. `npm run dev` also rebuilds on changes.',
  '--port 8788 --country DE --empty',
)
  .option('--port <number>', 'port of the server', wholeNumber(65_535), 8787)
  .option('--state <folder>', 'data of KV, D1 and Durable Objects', defaultState)
  .option('--country <code>', 'country of every visitor', 'US')
  .option('--empty', 'without sample data in the console', false)
  .option('--watch', 'rebuild and restart on each change', false)
  .action(start);

if (import.meta.main) await runCommand(program);
