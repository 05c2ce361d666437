import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { InvalidDocument, readDocuments } from '../worker/experiments/rules/config-documents.ts';
import { jsonOf } from '../worker/platform/read-json.ts';
import { CommandError, npmCommand, print, runCommand, wholeNumber } from './command.ts';
import { environmentOption } from './deploy/environment.ts';
import { retainPreviousBuilds } from './deploy/retain-previous-builds.ts';
import { deploy, type LiveDocuments, rollBack, type Tools } from './deploy/run-deploy.ts';
import { readSecrets } from './deploy/secrets.ts';
import { askFor, hasTerminal, openSession } from './deploy/session.ts';
import { walkVersion } from './deploy/synthetic-walk.ts';

/** Puts the live configuration into the build, for isolates that cannot reach KV. */
function bake(documents: LiveDocuments): void {
  mkdirSync('dist', { recursive: true });
  rmSync('dist/baked.json', { force: true });
  try {
    readDocuments(documents, true);
    writeFileSync('dist/baked.json', JSON.stringify(documents));
    print('The build contains the live configuration.');
  } catch (error) {
    if (!(error instanceof InvalidDocument)) throw error;
    print(`The build contains the built-in configuration (${error.key}: ${error.message}).`);
  }
}

const build: Tools['build'] = async ({ configuration, site }) => {
  bake(configuration);
  const { status } = spawnSync('vite', ['build', '--logLevel', 'warn'], { stdio: 'inherit' });
  if (status !== 0) throw new CommandError('The build failed.');
  if (site === null) return;
  const count = await retainPreviousBuilds(site, 'dist/client');
  print(`Kept ${count} files of the last two builds.`);
};

async function problems(site: string): Promise<string[]> {
  const response = await fetch(new URL('/healthz', site)).catch(() => null);
  if (!response) return ['the site does not answer yet; a new domain takes some minutes'];
  type Health = { payments?: string[]; secrets?: string[] };
  const { payments = [], secrets = [] }: Health = (await jsonOf(response)) ?? {};
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
  const environment = env ?? null;
  if (staged && !process.env.ADMIN_TOKEN) {
    throw new CommandError(
      'A staged rollout starts the synthetic visitor through /admin. Set ADMIN_TOKEN.',
    );
  }
  const tools: Tools = {
    ...(await openSession()),
    print,
    ask: hasTerminal ? ({ name, without }) => askFor(`${name} (without it, ${without})`) : null,
    given: secrets === undefined ? {} : readSecrets(secrets),
    build,
    problems,
    folder: '.',
    dist: 'dist',
    rollout: ({ site, worker }) => ({
      walk: (version) =>
        walkVersion({ site, worker, version, token: process.env.ADMIN_TOKEN ?? '' }),
      wait: setTimeout,
      now: Date.now,
      stageMs: minutes * 60_000,
    }),
  };
  if (rollback) await rollBack(environment, tools);
  else await deploy({ environment, plan, staged }, tools);
}

export const program = npmCommand(
  'npm run deploy --',
  'Creates missing Cloudflare resources, asks for missing secrets, builds, migrates and deploys. After a failure, run it again: it resumes.',
  '--plan',
)
  .addOption(environmentOption())
  .option('--plan', 'print what would change without changing anything', false)
  .option(
    '--secrets <file>',
    'read missing secrets from a file of NAME=value lines instead of asking',
  )
  .option(
    '--staged',
    '5 %, 25 %, then all visitors; rolls back if a synthetic visitor fails in it',
    false,
  )
  .option('--minutes <number>', 'duration of each stage', wholeNumber(1440), 15)
  .option('--rollback', 'serve the previous version to all visitors', false)
  .action(run);

if (import.meta.main) await runCommand(program);
