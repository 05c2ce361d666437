import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from './command-error.ts';
import { at, complaint, type Run, runWrangler, type Target } from './wrangler.ts';

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

/** KV through the wrangler command. */
export function wranglerKv(place: Target, run: Run = runWrangler): Kv {
  let before: Promise<unknown> = Promise.resolve();
  // One after another: two that open a new folder at once can keep each other from starting.
  const call = (verb: string, args: string[]) => {
    const command = ['kv', 'key', verb, ...args, '--binding', 'FUNNEL', ...at(place)];
    const answer = before.then(() => run(command));
    before = answer.catch(() => {});
    return answer;
  };
  const refuse = (
    verb: string,
    key: string,
    { stdout, stderr }: { stdout: string; stderr: string },
  ) => new CommandError(`KV did not ${verb} ${key}: ${complaint(stderr + stdout)}`);
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
