import { spawnSync } from 'node:child_process';
import { watch } from 'node:fs';
import { parseArgs } from 'node:util';
import { unstable_readConfig as readConfig } from 'wrangler';
import { createFakes } from '../test/fakes/index.ts';
import { builtInDocuments } from '../worker/experiments/rules/config-documents.ts';
import { developmentVars, networkVars } from './development-vars.ts';
import { refuseBrokenPayments } from './refuse-payments.ts';
import { serve } from './serve.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8787' },
    state: { type: 'string', default: '.wrangler/state' },
    country: { type: 'string', default: 'US' },
    watch: { type: 'boolean', default: false },
  },
});

function run(command: string, args: string[]): boolean {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) process.stderr.write(`${stdout}${stderr}`);
  return status === 0;
}

const build = () => run('vite', ['build', '--logLevel', 'warn']);
const migrate = () =>
  run('wrangler', [
    'd1',
    'migrations',
    'apply',
    'funnel',
    '--local',
    '--config',
    'wrangler.toml',
    '--persist-to',
    values.state,
  ]);

const fakes = createFakes({ file: `${values.state}/fakes.json` });
const start = () =>
  serve({
    port: Number(values.port),
    state: `${values.state}/v3`,
    country: values.country,
    // All that has a stand-in can be tried.
    vars: { ...developmentVars, ...networkVars, PAYPAL: 'true' },
    outside: fakes.fetch,
  });

refuseBrokenPayments(readConfig({ config: 'wrangler.toml' }).vars, 'started');
if (!build() || !migrate()) process.exit(1);
let server = start();
const address = await server.ready;

// So that there is something to look at, and to change, with `wrangler kv key get`.
const kv = await server.getKVNamespace('FUNNEL');
for (const [key, text] of Object.entries(builtInDocuments)) {
  if ((await kv.get(key)) === null) await kv.put(key, text);
}
const local = `http://localhost:${address.port}`;
fakes.deliverTo({ origin: address.origin, secret: developmentVars.STRIPE_WEBHOOK_SECRET });
process.stdout.write(`
  The funnel runs on ${local}
  Its mails lie in   ${local}/fakes/api.resend.com/inbox
  Its texts lie in   ${local}/fakes/sms/
  Refund, dispute, renew, end at the stand-ins: ${local}/fakes/bank/

`);

if (values.watch) {
  let timer: NodeJS.Timeout | undefined;
  const again = async () => {
    if (!build()) return;
    await server.dispose();
    server = start();
    await server.ready;
    process.stdout.write('  rebuilt\n');
  };
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
