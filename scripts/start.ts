import { spawnSync } from 'node:child_process';
import { watch } from 'node:fs';
import { createServer } from 'node:net';
import { parseArgs } from 'node:util';
import { unstable_readConfig as readConfig } from 'wrangler';
import { createFakes } from '../test/fakes/index.ts';
import { builtInDocuments } from '../worker/experiments/rules/config-documents.ts';
import { developmentVars, networkVars } from './development-vars.ts';
import { readable } from './readable-log.ts';
import { refuseBrokenPayments } from './refuse-payments.ts';
import { serve } from './serve.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8787' },
    state: { type: 'string', default: '.wrangler/state' },
    country: { type: 'string', default: 'US' },
    watch: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(`npm start                      builds, migrates and serves http://localhost:8787
npm start -- --port 8788       another port
npm start -- --country DE      every visitor comes from Germany
npm run dev                    rebuilds and serves again at each change
`);
  process.exit(0);
}

/** Runs one step of the start and prints how long it took; a failed step ends the command. */
async function step<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  const began = performance.now();
  const done = await work();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`  ✓ ${name.padEnd(8)} ${seconds} s\n`);
  return done;
}

/** Runs a command to its end. Its output is printed only when it fails. */
function run(command: string, args: string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}`);
  process.exit(1);
}

/** Whether another program listens on the port. */
const isTaken = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(true));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(false)));
  });

const build = () => run('vite', ['build', '--logLevel', 'error']);
const migrate = () => {
  const config = ['--config', 'wrangler.toml', '--persist-to', values.state];
  run('wrangler', ['d1', 'migrations', 'apply', 'funnel', '--local', ...config]);
};

/** A line of log, readable in a terminal and JSON in a pipe. */
function print(line: string): void {
  process.stdout.write(`${process.stdout.isTTY ? readable(line) : line}\n`);
}

const fakes = createFakes({ file: `${values.state}/fakes.json` });
const start = () =>
  serve({
    port: Number(values.port),
    state: `${values.state}/v3`,
    country: values.country,
    // All that has a stand-in can be tried.
    vars: { ...developmentVars, ...networkVars, PAYPAL: 'true' },
    outside: fakes.fetch,
    said: print,
  });

refuseBrokenPayments(readConfig({ config: 'wrangler.toml' }).vars, 'started');
if (await isTaken(Number(values.port))) {
  const next = Number(values.port) + 1;
  process.stderr.write(
    `Port ${values.port} is in use. Choose another one: npm start -- --port ${next}\n`,
  );
  process.exit(1);
}
await step('build', build);
await step('migrate', migrate);
let server = start();
const address = await step('serve', () => server.ready);

// So that there is something to look at, and to change, with `wrangler kv key get`.
const kv = await server.getKVNamespace('FUNNEL');
for (const [key, text] of Object.entries(builtInDocuments)) {
  if ((await kv.get(key)) === null) await kv.put(key, text);
}
const local = `http://localhost:${address.port}`;
fakes.deliverTo({ origin: address.origin, secret: developmentVars.STRIPE_WEBHOOK_SECRET });
process.stdout.write(`
  The funnel runs on ${local}
  Sent e-mails      ${local}/fakes/api.resend.com/inbox
  Sent SMS          ${local}/fakes/sms/
  Refund, dispute, renew or cancel a payment: ${local}/fakes/bank/

`);

if (values.watch) {
  let timer: NodeJS.Timeout | undefined;
  const again = () =>
    step('rebuild', async () => {
      build();
      await server.dispose();
      server = start();
      await server.ready;
    });
  for (const folder of ['worker', 'islands', 'screens', 'locales', 'public']) {
    watch(folder, { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(again, 200);
    });
  }
}

const stop = async () => {
  await server.dispose();
  process.exit(0);
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
