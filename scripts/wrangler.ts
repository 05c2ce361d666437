import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Command } from 'commander';
import { isCopy, type Kv } from '../worker/documents/kv.ts';
import { CommandError } from './command.ts';
import { environmentOption, writeEnvironmentConfig } from './deploy/environment.ts';
import { nameIn } from './deploy/resources.ts';
import { defaultState } from './local-server.ts';

export const databases = ['funnel', 'funnel-analytics'] as const;

export interface Target {
  /** The live site instead of local data. */
  remote: boolean;
  /** The live site's environment; production if missing. */
  env?: string;
  persistTo: string;
}

export const withTarget = (command: Command): Command =>
  command
    .option('--remote', 'use the live site instead of this machine', false)
    .addOption(environmentOption().implies({ remote: true }))
    .option('--persist-to <folder>', 'where this machine keeps its data', defaultState);

export type Run = (args: string[]) => Promise<{ code: number; stdout: string; stderr: string }>;

/** @param variables added to the environment */
export const runWrangler =
  (variables: NodeJS.ProcessEnv = {}): Run =>
  (args) =>
    new Promise((resolve) => {
      const command = ['node_modules/wrangler/bin/wrangler.js', ...args];
      const options = {
        maxBuffer: 64 * 1024 * 1024,
        env: { ...process.env, NO_COLOR: '1', ...variables },
      };
      const child = execFile(process.execPath, command, options, (error, stdout, stderr) =>
        resolve({ code: error ? 1 : 0, stdout, stderr }),
      );
      // Without input wrangler asks no questions.
      child.stdin?.end();
    });

const targetArguments = ({ remote, env, persistTo }: Target): string[] => [
  '--config',
  env === undefined ? 'wrangler.toml' : writeEnvironmentConfig(env),
  ...(remote ? ['--remote'] : ['--local', '--persist-to', persistTo]),
];

export function errorMessage(output: string): string {
  const message = /"error":\s*\{\s*"text":\s*("(?:[^"\\]|\\.)*")/.exec(output)?.[1];
  if (message) return JSON.parse(message);
  const lines = stripVTControlCharacters(output).split('\n');
  const line = lines.find((each) => each.includes('[ERROR]')) ?? lines.find((each) => each.trim());
  return line?.replace(/^.*\[ERROR\]/, '').trim() || 'wrangler printed nothing';
}

/** Every method throws a `CommandError` when it fails. */
export function wranglerKv(target: Target, run: Run = runWrangler()): Kv {
  let previous: Promise<unknown> = Promise.resolve();
  // One at a time: two wranglers that create the same data folder can block each other.
  const call = (verb: string, args: string[]) => {
    const command = ['kv', 'key', verb, ...args, '--binding', 'FUNNEL', ...targetArguments(target)];
    const result = previous.then(() => run(command));
    previous = result.catch(() => {}); // The caller gets the error; the next command runs anyway.
    return result;
  };
  const failed = (what: string, { stdout, stderr }: { stdout: string; stderr: string }) =>
    new CommandError(`KV could not ${what}: ${errorMessage(stderr + stdout)}`);
  const get = async (key: string) => {
    const result = await call('get', [key]);
    // For a missing key wrangler prints this line locally, and fails with 404 on the live site.
    if (result.code === 0) return result.stdout === 'Value not found\n' ? null : result.stdout;
    if (/ 404: /.test(result.stderr + result.stdout)) return null;
    throw failed(`read ${key}`, result);
  };
  const list: Kv['list'] = async (prefix) => {
    const result = await call('list', ['--prefix', prefix]);
    if (result.code !== 0) throw failed(`list ${prefix}`, result);
    return JSON.parse(result.stdout);
  };
  return {
    get,
    async getWrittenByHand(key) {
      // Only a list has the metadata.
      const listed = (await list(key)).find(({ name }) => name === key);
      return listed && !isCopy(listed.metadata) ? get(key) : null;
    },
    async put(key, text, { metadata, seconds } = {}) {
      const folder = await mkdtemp(join(tmpdir(), 'config-'));
      const file = join(folder, 'value');
      try {
        await writeFile(file, text);
        const metadataOption = metadata ? ['--metadata', JSON.stringify(metadata)] : [];
        const lifetime = seconds ? ['--ttl', String(seconds)] : [];
        const result = await call('put', [key, '--path', file, ...metadataOption, ...lifetime]);
        if (result.code !== 0) throw failed(`write ${key}`, result);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
    list,
  };
}

/** Runs SQL; rows by statement. Throws a `CommandError` if D1 does not respond. */
export type Query = <Row>(sql: string) => Promise<Row[][]>;

export function wranglerD1(
  target: Target,
  run: Run = runWrangler(),
  database: (typeof databases)[number] = 'funnel',
): Query {
  return async <Row>(sql: string) => {
    const name = nameIn(target.env ?? null)(database);
    const command = ['d1', 'execute', name, '--json', '--command', sql];
    const { code, stdout, stderr } = await run([...command, ...targetArguments(target)]);
    if (code === 0) {
      const read: { results: Row[] }[] = JSON.parse(stdout);
      return read.map(({ results }) => results);
    }
    const message = errorMessage(stderr + stdout);
    // The first `npm start` creates the tables.
    if (target.remote || !message.includes('no such table')) {
      throw new CommandError(`D1 did not answer: ${message}`);
    }
    throw new CommandError(
      `There is no data in ${target.persistTo} yet. Run npm start once, or read the live site with --remote.`,
    );
  };
}
