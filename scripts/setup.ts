import { readFileSync } from 'node:fs';
import { Option } from 'commander';
import Stripe from 'stripe';
import { readLive } from '../worker/documents/live-documents.ts';
import { configSet } from '../worker/experiments/config-set.ts';
import { catalogIn } from '../worker/experiments/live-catalog.ts';
import { appleFileKey } from '../worker/payments/api/apple-pay-domain-api.ts';
import type { Env } from '../worker/platform/env.ts';
import { messageOf } from '../worker/platform/log.ts';
import { CommandError, npmCommand, print, runCommand, subcommand } from './command.ts';
import type { Cloudflare } from './deploy/cloudflare-api.ts';
import { environmentOption, projectOf } from './deploy/environment.ts';
import { inspect } from './deploy/provision.ts';
import { putSecrets } from './deploy/put-secrets.ts';
import { resourcesOf } from './deploy/resources.ts';
import { siteOf } from './deploy/run-deploy.ts';
import { storedSecrets } from './deploy/secrets.ts';
import { askFor, hasTerminal, openSession } from './deploy/session.ts';
import { varsFileOf, writeVars } from './deploy/vars-file.ts';
import { checkBraintree, webhookNotice } from './setup/braintree.ts';
import { setUpStripe } from './setup/stripe.ts';
import { type StripeMethodName, stripeMethodNames } from './setup/stripe-site.ts';
import { wranglerKv } from './wrangler.ts';

const appleFile =
  'https://stripe.com/files/apple-pay/apple-developer-merchantid-domain-association';

async function open(environment: string | null) {
  const { api, run } = await openSession();
  const project = projectOf(environment);
  const { ids } = await inspect(api, resourcesOf(project.config, api.account));
  const namespace = ids.kv.FUNNEL;
  const stored = await storedSecrets(api, project.config.name);
  if (!namespace || stored.size === 0) {
    throw new CommandError('There is no Worker yet. Run npm run deploy first.');
  }
  const site = siteOf(project);
  const target = { remote: true, persistTo: '', ...(environment && { env: environment }) };
  const { documents } = await readLive(wranglerKv(target, run), configSet);
  const worker = project.config.name;
  return {
    api,
    run,
    vars: project.vars,
    worker,
    namespace,
    stored,
    site,
    catalog: catalogIn(documents),
  };
}

const publish = (api: Cloudflare, namespace: string, text: string) =>
  api.putText(`/accounts/storage/kv/namespaces/${namespace}/values/${appleFileKey}`, text);

async function given(name: string, value: string | undefined, where: string): Promise<string> {
  if (value) return value;
  if (hasTerminal) return askFor(`${name} (${where})`);
  throw new CommandError(`Set ${name} in the environment: ${where}.`);
}

interface StripeOptions {
  plan: boolean;
  trialOffers: boolean;
  methods: StripeMethodName[];
}

async function stripe({ plan, trialOffers, methods }: StripeOptions): Promise<void> {
  const environment = program.opts<{ env?: string }>().env ?? null;
  const { api, run, vars, worker, namespace, stored, site, catalog } = await open(environment);
  const where = 'dashboard.stripe.com, Developers, API keys';
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY = vars.STRIPE_PUBLISHABLE_KEY } = process.env;
  const secretKey = await given('STRIPE_SECRET_KEY', STRIPE_SECRET_KEY, where);
  await setUpStripe({
    stripe: new Stripe(secretKey, { maxNetworkRetries: 2, telemetry: false }),
    plan,
    trialOffers,
    methods,
    print,
    catalog,
    vars,
    secretKey,
    publishableKey: await given('STRIPE_PUBLISHABLE_KEY', STRIPE_PUBLISHABLE_KEY, where),
    site,
    secrets: {
      has: (name) => stored.has(name),
      put: (values) => putSecrets(run, worker, values),
    },
    writeVars: (values) => writeVars(varsFileOf(environment), values),
    publishAppleFile: async () => {
      const response = await fetch(appleFile).catch((error) => print(messageOf(error)));
      if (response?.ok) await publish(api, namespace, await response.text());
      else print(`Could not read Apple Pay's file from ${appleFile}. Run this again later.`);
    },
  });
}

interface BraintreeOptions {
  appleFile?: string;
}

async function braintree({ appleFile: file }: BraintreeOptions): Promise<void> {
  const environment = program.opts<{ env?: string }>().env ?? null;
  const { api, vars, namespace, site, catalog } = await open(environment);
  const key = process.env.BRAINTREE_PRIVATE_KEY;
  const where = 'Braintree control panel, Settings, API';
  const privateKey = await given('BRAINTREE_PRIVATE_KEY', key, where);
  if (file !== undefined) {
    await publish(api, namespace, readFileSync(file, 'utf8'));
    print('Stored Apple Pay’s association file; the site serves it now.');
  }
  const env = { ...vars, BRAINTREE_PRIVATE_KEY: privateKey } as Env;
  const problems = await checkBraintree(env, site, catalog);
  for (const problem of problems) print(problem);
  print(webhookNotice(site));
  if (problems.length > 0) process.exitCode = 1;
  else print('Braintree matches the catalog.');
}

export const program = npmCommand(
  'npm run setup --',
  'Sets up the payment providers from the catalog. After a failure, run it again: it resumes.',
  'stripe --plan',
).addOption(environmentOption());

subcommand(
  program,
  'stripe',
  'creates products, prices, coupons, the webhook endpoint and the wallets’ domain',
  '--plan',
)
  .option('--plan', 'print what would change without changing anything', false)
  .option('--trial-offers', 'sell paid intros as trial offers of the product catalog', false)
  .addOption(
    new Option('--methods <names...>', 'payment methods to turn on besides cards')
      .choices(stripeMethodNames)
      .default([]),
  )
  .action(stripe);

subcommand(
  program,
  'braintree',
  'compares plans, merchant accounts, webhook and 3-D Secure, and lists what to change',
)
  .option(
    '--apple-file <file>',
    'serve this Apple Pay association file, downloaded from Braintree’s control panel',
  )
  .action(braintree);

if (import.meta.main) await runCommand(program);
