import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from '../command.ts';
import { errorMessage, type Run } from '../wrangler.ts';

/** Calls with a file of secrets that is deleted afterwards. */
export async function withSecretsFile<T>(
  secrets: Readonly<Record<string, string>>,
  work: (file: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  try {
    const file = join(folder, 'secrets.json');
    await writeFile(file, JSON.stringify(secrets), { mode: 0o600 });
    return await work(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

export async function putSecrets(
  run: Run,
  worker: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  await withSecretsFile(values, async (file) => {
    const { code, stdout, stderr } = await run(['secret', 'bulk', file, '--name', worker]);
    if (code === 0) return;
    const names = Object.keys(values).join(', ');
    throw new CommandError(`${names} was not stored: ${errorMessage(stderr + stdout)}`);
  });
}
