import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { unstable_readConfig as readConfig } from 'wrangler';
import { InvalidDocument, readDocuments } from '../worker/experiments/rules/config-documents.ts';
import type { DocumentKey } from '../worker/experiments/rules/config-validation.ts';
import { missingApp } from '../worker/rendering/app-links.ts';
import { missingAddresses, missingFacts } from '../worker/rendering/company-facts.ts';
import { refuseBrokenPayments } from './refuse-payments.ts';
import { retainPreviousBuilds } from './retain-previous-builds.ts';

const site = process.env.SITE_URL;

function run(command: string, args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** A configuration document as it is live; null when there is none. */
function live(key: DocumentKey): string | null {
  const args = ['kv', 'key', 'get', '--remote', '--binding', 'FUNNEL', '--text', key];
  const { status, stdout } = spawnSync('wrangler', args, { encoding: 'utf8' });
  return status === 0 ? stdout : null;
}

/** Puts the live configuration into the build: what an isolate serves that cannot reach KV. */
function bake(): void {
  const documents = { 'config.json': live('config.json'), 'flows.json': live('flows.json') };
  mkdirSync('dist', { recursive: true });
  rmSync('dist/baked.json', { force: true });
  try {
    readDocuments(documents['config.json'], documents['flows.json'], true);
    writeFileSync('dist/baked.json', JSON.stringify(documents));
    process.stdout.write('baked in: the live configuration\n');
  } catch (error) {
    if (!(error instanceof InvalidDocument)) throw error;
    process.stdout.write(`baked in: the built-in configuration (${error.key}: ${error.message})\n`);
  }
}

/** Says what is deployed without; nothing of it keeps the funnel from running. */
function warn(what: string, missing: string[]): void {
  if (missing.length)
    process.stdout.write(`${what}; set in wrangler.toml: ${missing.join(', ')}\n`);
}

const { vars } = readConfig({ config: 'wrangler.toml' });
warn('the legal pages lack facts', missingFacts(vars));
warn('legal pages have no final address, ours are shown', missingAddresses(vars));
warn('links into the app open no app or store', missingApp(vars));
refuseBrokenPayments(vars, 'deployed');
bake();
run('vite', ['build']);
if (site) {
  process.stdout.write(
    `kept from earlier builds: ${await retainPreviousBuilds(site, 'dist/client')} files\n`,
  );
} else {
  process.stdout.write('SITE_URL is not set: files of earlier builds are not kept\n');
}
run('wrangler', ['d1', 'migrations', 'apply', 'funnel', '--remote']);
run('wrangler', ['deploy']);
