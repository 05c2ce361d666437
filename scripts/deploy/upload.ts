import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../command.ts';
import type { Run } from '../wrangler.ts';
import type { Cloudflare } from './cloudflare-api.ts';
import { withSecretsFile } from './put-secrets.ts';
import { versionsOf } from './versions.ts';

type Wrangler = (args: string[]) => ReturnType<Run>;

/** Arguments for a file of secrets; none without secrets. */
const withSecrets = (
  secrets: Readonly<Record<string, string>>,
  work: (args: string[]) => Promise<unknown>,
): Promise<unknown> =>
  Object.keys(secrets).length === 0
    ? work([])
    : withSecretsFile(secrets, (file) => work(['--secrets-file', file]));

/** Equal for the same bytes, configuration and secrets. @param folder of the build, with its configuration */
export async function tagOf(
  folder: string,
  secrets: Readonly<Record<string, string>>,
): Promise<string> {
  const hash = createHash('sha256');
  for (const part of ['worker', 'client'].map((name) => join(folder, name))) {
    if (!existsSync(part)) continue;
    const entries = await readdir(part, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    for (const file of files.sort())
      hash.update(file.slice(folder.length)).update(await readFile(file));
  }
  hash.update(JSON.stringify(Object.entries(secrets).sort()));
  return hash.digest('hex').slice(0, 16);
}

/** Uploads a version and gives it to all visitors, with queue consumers, crons and domains. */
export async function deployWhole(
  wrangler: Wrangler,
  secrets: Readonly<Record<string, string>>,
  tag: string,
): Promise<void> {
  await withSecrets(secrets, (file) => wrangler(['deploy', '--tag', tag, ...file]));
}

/** Uploads a version without giving it to visitors; one uploaded by an earlier run is found by its tag. */
export async function uploadVersion(
  { wrangler, api, worker }: { wrangler: Wrangler; api: Cloudflare; worker: string },
  secrets: Readonly<Record<string, string>>,
  tag: string,
): Promise<string> {
  const find = async () =>
    (await versionsOf(api, worker)).find(({ annotations }) => annotations?.['workers/tag'] === tag);
  const before = await find();
  if (before) return before.id;
  await withSecrets(secrets, (file) => wrangler(['versions', 'upload', '--tag', tag, ...file]));
  const uploaded = await find();
  if (!uploaded)
    throw new CommandError('Cloudflare does not list the uploaded version. Run again.');
  return uploaded.id;
}
