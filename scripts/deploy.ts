import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { isCancel, password, select } from '@clack/prompts';
import { InvalidDocument, readDocuments } from '../worker/experiments/rules/config-documents.ts';
import { CommandError, npmCommand, runCommand, say, userName, wholeNumber } from './command.ts';
import { cloudflareApi, credentialsOf } from './deploy/cloudflare-api.ts';
import { observeVersions } from './deploy/observe.ts';
import { retainPreviousBuilds } from './deploy/retain-previous-builds.ts';
import { type Documents, deploy, rollBack, type Tools } from './deploy/run-deploy.ts';
import { readSecrets } from './deploy/secrets.ts';
import { walkVersion } from './deploy/walk.ts';
import { siteAt } from './ops/admin-client.ts';
import { runWrangler } from './wrangler.ts';

/** Puts the live configuration into the build, for isolates that cannot reach KV. */
function bake(documents: Documents): void {
  mkdirSync('dist', { recursive: true });
  rmSync('dist/baked.json', { force: true });
  try {
    readDocuments(documents['config.json'], documents['flows.json'], true);
    writeFileSync('dist/baked.json', JSON.stringify(documents));
    say('The build contains the live configuration.');
  } catch (error) {
    if (!(error instanceof InvalidDocument)) throw error;
    say(`The build contains the built-in configuration (${error.key}: ${error.message}).`);
  }
}

const build: Tools['build'] = async ({ configuration, site }) => {
  bake(configuration);
  const { status } = spawnSync('vite', ['build', '--logLevel', 'warn'], { stdio: 'inherit' });
  if (status !== 0) throw new CommandError('The build failed.');
  if (site === null) return;
  const count = await retainPreviousBuilds(site, 'dist/client');
  say(`Kept ${count} files of the last two builds.`);
};

async function answered(question: Promise<string | symbol>): Promise<string> {
  const answer = await question;
  if (isCancel(answer)) throw new CommandError('Nothing was deployed.');
  return String(answer);
}

const hasTerminal = process.stdin.isTTY;

async function choose(accounts: { id: string; name: string }[]): Promise<string> {
  if (!hasTerminal) {
    const names = accounts.map(({ id, name }) => `${id} (${name})`).join(', ');
    throw new CommandError(`Set CLOUDFLARE_ACCOUNT_ID to one of ${names}.`);
  }
  const options = accounts.map(({ id: value, name: label }) => ({ value, label }));
  return answered(select({ message: 'Which account of Cloudflare?', options }));
}

const ask: Tools['ask'] = ({ name, without }) =>
  answered(
    password({
      message: `${name} (without it, ${without})`,
      validate: (value) => (value?.trim() ? undefined : 'Paste the value.'),
    }),
  );

async function problems(site: string): Promise<string[]> {
  const answer = await fetch(new URL('/healthz', site)).catch(() => null);
  if (!answer) return ['the site does not answer yet; a new domain takes some minutes'];
  type Health = { payments?: string[]; secrets?: string[] };
  const { payments = [], secrets = [] } = (await answer.json().catch(() => ({}))) as Health;
  return [...payments, ...secrets];
}

interface Options {
  plan: boolean;
  staged: boolean;
  rollback: boolean;
  env?: string;
  secrets?: string;
  minutes: number;
}

async function run({ plan, staged, rollback, env, secrets, minutes }: Options): Promise<void> {
  const credentials = await credentialsOf(runWrangler(), undefined, choose);
  const wrangler = runWrangler({ CLOUDFLARE_ACCOUNT_ID: credentials.account });
  const environment = env ?? null;
  if (staged && !process.env.ADMIN_TOKEN) {
    throw new CommandError('A staged rollout reads how the versions do. Set ADMIN_TOKEN.');
  }
  const tools: Tools = {
    api: cloudflareApi(credentials),
    run: wrangler,
    say,
    ask: hasTerminal ? ask : null,
    given: secrets === undefined ? {} : readSecrets(secrets),
    build,
    problems,
    folder: '.',
    dist: 'dist',
    rollout: ({ site, worker }) => ({
      walk: (version) => walkVersion({ site, worker, version }),
      observe: observeVersions(siteAt(site, process.env.ADMIN_TOKEN, userName())),
      wait: setTimeout,
      now: Date.now,
      stageMs: minutes * 60_000,
    }),
  };
  if (rollback) await rollBack(environment, tools);
  else await deploy({ environment, plan, staged }, tools);
}

const environmentName = (name: string) => {
  if (/^[a-z]{2,20}$/.test(name)) return name;
  throw new CommandError('An environment is named by 2 to 20 small letters, such as staging.');
};

export const program = npmCommand(
  'npm run deploy --',
  'Creates what Cloudflare lacks, asks for missing secrets, builds, migrates and deploys. Run again after a failure, it continues.',
  '--plan',
)
  .option('--plan', 'print what would change, and change nothing', false)
  .option('--env <name>', 'an environment of its own, such as staging', environmentName)
  .option('--secrets <file>', 'take missing secrets from a file of NAME=value instead of asking')
  .option('--staged', '5 %, 25 %, then all visitors; rolls back when the version is worse', false)
  .option('--minutes <number>', 'how long each stage is watched', wholeNumber(1440), 15)
  .option('--rollback', 'give the earlier version back to all visitors', false)
  .action(run);

if (import.meta.main) await runCommand(program);
