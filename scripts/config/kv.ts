import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { Refused } from '../refused.ts';

/** A key of a listing, with what was noted beside its value. */
export interface Listed {
  name: string;
  metadata?: unknown;
}

/** The namespace `FUNNEL`, as far as the commands need it; each verb throws Refused when it fails. */
export interface Kv {
  /** @returns null when there is no such key */
  get(key: string): Promise<string | null>;
  /** @param options `seconds`: how long it is kept, at least 60; for ever when left out */
  put(key: string, text: string, options?: { metadata?: object; seconds?: number }): Promise<void>;
  /** All keys that begin with the prefix. */
  list(prefix: string): Promise<Listed[]>;
}

/** Runs wrangler with these arguments. */
export type Run = (args: string[]) => Promise<{ code: number; stdout: string; stderr: string }>;

const runWrangler: Run = (args) =>
  new Promise((resolve) => {
    const command = ['node_modules/wrangler/bin/wrangler.js', ...args];
    const options = { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, NO_COLOR: '1' } };
    const child = execFile(process.execPath, command, options, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, stdout, stderr }),
    );
    // So that it asks nobody anything.
    child.stdin?.end();
  });

/** What wrangler says went wrong, in its own words. */
function complaint(output: string): string {
  const lines = stripVTControlCharacters(output).split('\n');
  const line = lines.find((each) => each.includes('[ERROR]')) ?? lines.find((each) => each.trim());
  return line?.replace(/^.*\[ERROR\]/, '').trim() || 'wrangler said nothing';
}

/**
 * KV through the wrangler command.
 *
 * @param place the live namespace, or the folder in which this machine keeps its own
 */
export function wranglerKv(
  place: { remote: boolean; persistTo: string },
  run: Run = runWrangler,
): Kv {
  const where = place.remote ? ['--remote'] : ['--local', '--persist-to', place.persistTo];
  let before: Promise<unknown> = Promise.resolve();
  // One after another: two that open a new folder at once can keep each other from starting.
  const call = (verb: string, args: string[]) => {
    const binding = ['--config', 'wrangler.toml', '--binding', 'FUNNEL'];
    const answer = before.then(() => run(['kv', 'key', verb, ...args, ...binding, ...where]));
    before = answer.catch(() => {});
    return answer;
  };
  const refuse = (
    verb: string,
    key: string,
    { stdout, stderr }: { stdout: string; stderr: string },
  ) => new Refused(`KV did not ${verb} ${key}: ${complaint(stderr + stdout)}`);
  return {
    async get(key) {
      const answer = await call('get', [key]);
      // On this machine wrangler prints this line, on the live site it fails with 404.
      if (answer.code === 0) return answer.stdout === 'Value not found\n' ? null : answer.stdout;
      if (/ 404: /.test(answer.stderr + answer.stdout)) return null;
      throw refuse('give', key, answer);
    },
    async put(key, text, { metadata, seconds } = {}) {
      const folder = await mkdtemp(join(tmpdir(), 'config-'));
      const file = join(folder, 'value');
      try {
        await writeFile(file, text);
        const noted = metadata ? ['--metadata', JSON.stringify(metadata)] : [];
        const kept = seconds ? ['--ttl', String(seconds)] : [];
        const answer = await call('put', [key, '--path', file, ...noted, ...kept]);
        if (answer.code !== 0) throw refuse('take', key, answer);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
    async list(prefix) {
      const answer = await call('list', ['--prefix', prefix]);
      if (answer.code !== 0) throw refuse('list', prefix, answer);
      return JSON.parse(answer.stdout);
    },
  };
}
