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

const maxRows = 50;
const maxExported = 10_000;

/** Fields that only make a command safe to repeat. */
const technical = ['key', 'base'];

/** The details of a command, one line each; a change says what was before and after. @param currency of amounts; empty if it is not known */
export function detailLines(details: string, currency = ''): string[] {
  try {
    const { differences = [], ...others }: { differences?: string[] } = JSON.parse(details);
    const named = Object.entries(others)
      .filter(([name, value]) => value !== null && !technical.includes(name))
      .map(([name, value]) => {
        const isMoney = name === 'amount' && currency && typeof value === 'number';
        return `${name}: ${isMoney ? amountText(value, currency) : String(value)}`;
      });
    return [...differences, ...named];
  } catch {
    return [details];
  }
}

type StoredAudit = Omit<AuditRow, 'details' | 'href'> & { details: string };
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

const actionText = (action: string) =>
  `${action.charAt(0).toUpperCase()}${action.slice(1).replaceAll('_', ' ')}`;

const ofPeople = ['refund', 'receipt', 'end', 'release', 'link', 'export', 'evidence'];

/** The person whom an action was about, found by the id of the target. */
const pageOf = ({ action, target }: StoredAudit) =>
  ofPeople.includes(action) ? `/console/people?${new URLSearchParams({ id: target })}` : '';

const filterOf = (c: Context<App>) => (c.req.query('q') ?? '').trim().slice(0, 100);

export async function showAudit(c: Context<App>): Promise<Response> {
  const filter = filterOf(c);
  const before = Date.parse(c.req.query('before') ?? '') || Number.MAX_SAFE_INTEGER;
  const rows = await auditRows(c.env.DB, c.var.person.role, { filter, before, most: maxRows });
  const isWhole = may(c.var.person.role, 'people');
  return consolePage(
    c,
    <Audit
      rows={rows.map((row) => ({
        ...row,
        action: actionText(row.action),
        href: isWhole ? pageOf(row) : '',
        details: detailLines(row.details, /^refunded \d+ ([A-Z]{3})$/.exec(row.result)?.[1]),
        result: resultText(row.result, amountText),
      }))}
      filter={filter}
      isWhole={isWhole}
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
