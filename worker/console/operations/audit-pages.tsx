import type { D1Database } from '@cloudflare/workers-types';
import type { Context } from 'hono';
import type { App } from '../../platform/env.ts';
import { consolePage, csvResponse } from '../parts/console-response.tsx';
import { amountText } from '../parts/figure-text.ts';
import { may, type Role } from '../parts/rules/roles.ts';
import { zonedTime } from '../parts/rules/time-zone.ts';
import { zoneOf } from '../parts/time-zone-choice.ts';
import { resultText } from '../people/rules/timeline.ts';
import { Audit, type AuditRow } from './screens/audit.tsx';

const maxRows = 200;
const maxExported = 10_000;

/** The details of a command, one line each; a change says what was before and after. */
export function detailLines(details: string): string[] {
  try {
    const { differences = [], ...others }: { differences?: string[] } = JSON.parse(details);
    const named = Object.entries(others).map(([name, value]) => `${name}: ${String(value)}`);
    return [...differences, ...named];
  } catch {
    return [details];
  }
}

type StoredAudit = Omit<AuditRow, 'details'> & { details: string };
type StoredRow = Omit<StoredAudit, 'time'> & { started_at: number };

/** For roles without access to people; other rows name accounts, payments and reasons. */
const publicActions = ['publish', 'schedule', 'cancel_schedule', 'confirm_text'];

/** @param filter text in operator, action or target @param before for rows that started earlier, ms since 1970 */
export async function auditRows(
  db: D1Database,
  role: Role,
  { filter, before, most }: { filter: string; before: number; most: number },
): Promise<StoredAudit[]> {
  const { results } = await db
    .prepare(
      `SELECT id, operator, action, target, details, reason, result, started_at FROM audit
       WHERE started_at < ?2
         AND (?1 = '' OR instr(lower(operator || ' ' || action || ' ' || target), lower(?1)) > 0)
         AND (?4 = '[]' OR action IN (SELECT value FROM json_each(?4)))
       ORDER BY started_at DESC LIMIT ?3`,
    )
    .bind(filter, before, most, JSON.stringify(may(role, 'people') ? [] : publicActions))
    .all<StoredRow>();
  return results.map(({ started_at, ...row }) => ({
    ...row,
    time: new Date(started_at).toISOString(),
  }));
}

const filterOf = (c: Context<App>) => (c.req.query('q') ?? '').trim().slice(0, 100);

export async function showAudit(c: Context<App>): Promise<Response> {
  const filter = filterOf(c);
  const before = Date.parse(c.req.query('before') ?? '') || Number.MAX_SAFE_INTEGER;
  const rows = await auditRows(c.env.DB, c.var.person.role, { filter, before, most: maxRows });
  return consolePage(
    c,
    <Audit
      rows={rows.map((row) => ({
        ...row,
        details: detailLines(row.details),
        result: resultText(row.result, amountText),
      }))}
      filter={filter}
      isWhole={may(c.var.person.role, 'people')}
      isFull={rows.length === maxRows}
    />,
  );
}

const columns = ['time', 'operator', 'action', 'target', 'details', 'reason', 'result'] as const;

export async function exportAudit(c: Context<App>): Promise<Response> {
  const rows = await auditRows(c.env.DB, c.var.person.role, {
    filter: filterOf(c),
    before: Number.MAX_SAFE_INTEGER,
    most: maxExported,
  });
  const zone = zoneOf(c);
  return csvResponse(c, 'audit.csv', [
    columns.map((name) => (name === 'time' ? `time, ${zone}` : name)),
    ...rows.map((row) =>
      columns.map((name) => (name === 'time' ? zonedTime(Date.parse(row.time), zone) : row[name])),
    ),
  ]);
}
