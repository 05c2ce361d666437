import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { unstable_readConfig as readConfig } from 'wrangler';
import { InvalidDocument, readDocuments } from '../worker/experiments/rules/config-documents.ts';
import type { DocumentKey } from '../worker/experiments/rules/config-validation.ts';
import { missingApp } from '../worker/rendering/app-links.ts';
import { missingAddresses, missingFacts } from '../worker/rendering/company-facts.ts';
import { npmCommand, runCommand, say } from './command.ts';
import { refuseBrokenPayments } from './refuse-payments.ts';
import { retainPreviousBuilds } from './retain-previous-builds.ts';
import { databases } from './wrangler.ts';

function run(command: string, args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function live(key: DocumentKey): string | null {
  const args = ['kv', 'key', 'get', '--remote', '--binding', 'FUNNEL', '--text', key];
  const { status, stdout } = spawnSync('wrangler', args, { encoding: 'utf8' });
  return status === 0 ? stdout : null;
}

/** Puts the live configuration into the build, for isolates that cannot reach KV. */
function bakeConfiguration(): void {
  const documents = { 'config.json': live('config.json'), 'flows.json': live('flows.json') };
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

function warn(what: string, missing: string[]): void {
  if (missing.length > 0) say(`${what}. Set in wrangler.toml: ${missing.join(', ')}.`);
}

async function deploy(): Promise<void> {
  const { vars } = readConfig({ config: 'wrangler.toml' });
  warn('Legal pages lack facts', missingFacts(vars));
  warn('Legal pages have no final address and show ours', missingAddresses(vars));
  warn('Links into the app open no app or store', missingApp(vars));
  refuseBrokenPayments(vars, 'deployed');
  bakeConfiguration();
  run('vite', ['build']);
  const site = process.env.SITE_URL;
  if (site) {
    const count = await retainPreviousBuilds(site, 'dist/client');
    say(`Kept ${count} files of the last two builds.`);
  } else say('SITE_URL is not set: files of earlier builds are not kept.');
  for (const database of databases) {
    run('wrangler', ['d1', 'migrations', 'apply', database, '--remote']);
  }
  run('wrangler', ['deploy']);
}

export const program = npmCommand(
  'npm run deploy',
  'Builds, keeps the files of the last two builds (from SITE_URL), migrates the database, deploys.',
  '',
).action(deploy);

if (import.meta.main) await runCommand(program);
