import type { Context } from 'hono';
import type { Documents } from '../../documents/document-set.ts';
import { readVersion, readVersions } from '../../documents/document-store.ts';
import { namespaceKv } from '../../documents/kv.ts';
import { configSet } from '../../experiments/config-set.ts';
import type { App } from '../../platform/env.ts';
import { countryName } from '../parts/rules/names.ts';
import { publicationNotes } from '../publishing/publication-table.ts';
import type { HistoryLine } from './screens/product-history.tsx';

const mostVersions = 50;
/** Versions of the command line have no note: their documents are compared, for the newest ones. */
const mostCompared = 8;

/** What each publication changed of a product, newest first. */
export async function historyOf(c: Context<App>, id: string): Promise<HistoryLine[]> {
  const kv = namespaceKv(c.env.FUNNEL);
  const [versions, notes] = await Promise.all([
    readVersions(kv, configSet),
    publicationNotes(c.env.DB, 'config').catch(() => null),
  ]);
  const read = (version: string): Promise<Documents | null> =>
    readVersion(kv, configSet, version).catch(() => null);
  const compared = versions.filter((version) => !notes?.has(version.id)).slice(0, mostCompared);
  const lines = await Promise.all(
    versions.slice(0, mostVersions).map(async (version, at) => {
      const note = notes?.get(version.id);
      if (note) return { ...version, reason: note.reason, lines: JSON.parse(note.differences) };
      if (!compared.includes(version)) return { ...version, reason: '', lines: [] };
      const [before, after] = await Promise.all([
        read(versions[at + 1]?.id ?? 'built-in'),
        read(version.id),
      ]);
      const changes = before && after ? configSet.differences(before, after) : [];
      return { ...version, reason: '', lines: changes };
    }),
  );
  const place = `plan ${id}: `;
  return lines.flatMap(({ time, who, reason, lines: all }) => {
    const own = (all as string[])
      .filter((line) => line.startsWith(place))
      .map((line) => line.slice(place.length).replace(/(?<=buyers in )[A-Z]{2}/, countryName));
    return own.length > 0 ? [{ time, who, reason, lines: own }] : [];
  });
}
