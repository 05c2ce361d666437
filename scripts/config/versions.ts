import { createHash } from 'node:crypto';
import { CommandError } from '../command-error.ts';
import type { Kv } from '../kv-client.ts';
import type { Texts } from './texts.ts';

/** A pair that was published once: key `config/<version>`. */
export interface Published {
  version: string;
  /** ISO 8601, UTC. */
  time: string;
  who: string;
  documents: Texts;
}

/** A line of the history; `pair` names what the documents say. */
export type Line = Omit<Published, 'documents'> & { pair: string };

export const prefix = 'config/';

/** Name of what is published at a moment, in order of time: `20261122-101530-123`, UTC. */
export function versionAt(moment: Date): string {
  const [year, month, day, ...rest] = moment.toISOString().match(/\d+/g) ?? [];
  const [hour, minute, second, ms] = rest;
  return `${year}${month}${day}-${hour}${minute}${second}-${ms}`;
}

/** Names the two texts: the same for the same letters. */
export function pairOf(texts: Texts): string {
  const both = JSON.stringify([texts['config.json'], texts['flows.json']]);
  return createHash('sha256').update(both).digest('hex').slice(0, 12);
}

/** All that was published, newest first. */
export async function linesOf(kv: Kv): Promise<Line[]> {
  const listed = await kv.list(prefix);
  return listed
    .map(({ name, metadata }) => ({
      time: 'unknown time',
      who: 'somebody',
      pair: '',
      ...(metadata as Partial<Line> | undefined),
      version: name.slice(prefix.length),
    }))
    .sort((a, b) => (a.version < b.version ? 1 : -1));
}

/** @throws Refused when there is no such version, or it can not be read */
export async function publishedAs(kv: Kv, version: string): Promise<Published> {
  const text = await kv.get(prefix + version);
  if (text === null) throw new CommandError(`There is no version ${version}; see history.`);
  try {
    const published: Published = JSON.parse(text);
    const { 'config.json': config, 'flows.json': flows } = published.documents;
    if (typeof config === 'string' && typeof flows === 'string') return published;
  } catch {
    // Refused below, like any other text that is no published pair.
  }
  throw new CommandError(`Version ${version} can not be read.`);
}
