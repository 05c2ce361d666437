import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Cloudflare } from './cloudflare-api.ts';
import type { Project } from './environment.ts';
import { type Inspected, inspect, pendingMigrations } from './provision.ts';
import { resourcesOf } from './resources.ts';
import { type MissingSecret, missingSecrets, storedSecrets } from './secrets.ts';

interface Changes extends Inspected {
  migrations: { database: string; file: string }[];
  secrets: MissingSecret[];
}

export async function changesFor(
  { config, vars }: Project,
  { api, folder }: { api: Cloudflare; folder: string },
): Promise<Changes> {
  const wanted = resourcesOf(config, api.account);
  const inspected = await inspect(api, wanted);
  const migrations: Changes['migrations'] = [];
  for (const { binding, name, migrations: path } of wanted.d1) {
    if (!path) continue;
    const files = readdirSync(join(folder, path))
      .filter((file) => file.endsWith('.sql'))
      .sort();
    const pending = await pendingMigrations(api, inspected.ids.d1[binding], files);
    migrations.push(...pending.map((file) => ({ database: name, file })));
  }
  const secrets = missingSecrets({ ...vars }, await storedSecrets(api, config.name));
  return { ...inspected, migrations, secrets };
}

const sources: Record<MissingSecret['from'], string> = {
  random: 'generated',
  terminal: 'asked for',
  setup: 'by npm run setup -- stripe',
  file: 'optional, from --secrets',
};

export function showChanges(
  { resources, migrations, secrets }: Changes,
  print: (line: string) => void,
): void {
  const rows = [
    ...resources.map(({ kind, name, exists }) => [
      kind,
      name,
      exists ? 'exists' : 'will be created',
    ]),
    ...migrations.map(({ database, file }) => [
      'Migration',
      `${database}: ${file}`,
      'will be applied',
    ]),
    ...secrets.map(({ name, from }) => ['Secret', name, sources[from]]),
  ];
  const widths = [0, 1].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  for (const row of rows) print(row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '));
}
