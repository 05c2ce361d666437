import type { Context } from 'hono';
import { readVersions } from '../../documents/document-store.ts';
import { namespaceKv } from '../../documents/kv.ts';
import { configSet } from '../../experiments/config-set.ts';
import type { App } from '../../platform/env.ts';
import { unanswered } from '../../platform/unanswered.ts';
import type { ReportPeriod } from '../parts/rules/period.ts';
import { textSet } from '../publishing/live-texts.ts';
import { publicationNotes } from '../publishing/publication-table.ts';

export interface PublicationMark {
  /** Index of its point in a chart. */
  at: number;
  /** ISO 8601. */
  time: string;
  text: string;
}

const kinds = [
  [configSet, 'Experiments and flows'],
  [textSet, 'Texts'],
] as const;

/** What was published in a period, oldest first, for the charts. They are drawn without it if KV does not respond. */
export async function publicationMarks(
  c: Context<App>,
  { from, to, times }: ReportPeriod,
): Promise<PublicationMark[]> {
  const kv = namespaceKv(c.env.FUNNEL);
  const found = await Promise.all(
    kinds.map(async ([set, what]) => {
      const [versions, notes] = await Promise.all([
        readVersions(kv, set).catch(unanswered(c.var.log, 'FUNNEL', [])),
        publicationNotes(c.env.DB, set.name).catch(unanswered(c.var.log, 'DB', new Map())),
      ]);
      return versions.map(({ id, time, who }) => {
        const reason = notes.get(id)?.reason;
        return { time, text: `${what} by ${who}${reason ? `: ${reason}` : ''}` };
      });
    }),
  );
  return found
    .flat()
    .filter(({ time }) => Date.parse(time) >= from && Date.parse(time) < to)
    .sort((a, b) => (a.time < b.time ? -1 : 1))
    .map((one) => ({
      ...one,
      at: times.findLastIndex((start) => start <= Date.parse(one.time)),
    }));
}
