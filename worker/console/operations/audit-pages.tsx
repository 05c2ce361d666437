import type { D1Database } from '@cloudflare/workers-types';
import type { Context } from 'hono';
import type { App } from '../../platform/env.ts';
import type { PaymentId } from '../../platform/types.ts';
import { consolePage, csvResponse } from '../parts/console-response.tsx';
import { amountText } from '../parts/figure-text.ts';
import { may, type Role } from '../parts/rules/roles.ts';
import { zonedTime } from '../parts/rules/time-zone.ts';
import { zoneOf } from '../parts/time-zone-choice.ts';
import { resultText } from '../people/rules/timeline.ts';
import { Audit, type AuditRow } from './screens/audit.tsx';
import { payersIn } from './status.ts';

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

type StoredAudit = Omit<AuditRow, 'details' | 'href' | 'who'> & { details: string };
type StoredRow = Omit<StoredAudit, 'time'> & { started_at: number };

/** For roles without access to people; other rows name accounts, payments and reasons. */
const publicActions = ['publish', 'schedule', 'cancel_schedule', 'confirm_text'];
const ofPeople = ['refund', 'receipt', 'end', 'release', 'link', 'export', 'evidence'];
const kindsFor = (role: Role) =>
  may(role, 'people')
    ? [...publicActions, ...ofPeople, 'delete', 'replay', 'snooze']
    : publicActions;

interface Selected {
  filter: string;
  /** For rows that started earlier, ms since 1970. */
  before: number;
  most: number;
  kind?: string;
  from?: number;
}

export async function auditRows(
  db: D1Database,
  role: Role,
  { filter, before, most, kind = '', from = 0 }: Selected,
): Promise<StoredAudit[]> {
  const actions = kindsFor(role).filter((action) => kind === '' || action === kind);
  const isWhole = kind === '' && may(role, 'people');
  const { results } = await db
    .prepare(
      `SELECT id, operator, action, target, details, reason, result, started_at FROM audit
       WHERE started_at < ?2 AND started_at >= ?5
         AND (?1 = '' OR instr(
           lower(operator || ' ' || action || ' ' || target || ' ' || reason || ' ' || details), lower(?1)) > 0)
         AND (?4 = '[]' OR action IN (SELECT value FROM json_each(?4)))
       ORDER BY started_at DESC LIMIT ?3`,
    )
    .bind(filter, before, most, JSON.stringify(isWhole ? [] : actions), from)
    .all<StoredRow>();
  return results.map(({ started_at, ...row }) => ({
    ...row,
    time: new Date(started_at).toISOString(),
  }));
}

const actionText = (action: string) =>
  `${action.charAt(0).toUpperCase()}${action.slice(1).replaceAll('_', ' ')}`;

const versionIn = ({ result }: StoredAudit) => /^published (\S+)$/.exec(result)?.[1];

/** The person whom an action was about, found by the id of the target, or the published versions. */
function pageOf(row: StoredAudit, isWhole: boolean): string {
  const { action, target } = row;
  if (isWhole && ofPeople.includes(action))
    return `/console/people?${new URLSearchParams({ id: target })}`;
  if (!versionIn(row)) return '';
  return target === 'content' ? '/console/texts/versions' : '/console/versions';
}

const dayMs = 24 * 60 * 60_000;

/** The filters in the address, and the rows that they select. */
function selectedIn(c: Context<App>, most: number) {
  const read = (name: string) => (c.req.query(name) ?? '').trim().slice(0, 100);
  const query = { q: read('q'), kind: read('kind'), from: read('from'), to: read('to') };
  const end = Date.parse(query.to) + dayMs || Number.MAX_SAFE_INTEGER;
  const before = Date.parse(read('before')) || Number.MAX_SAFE_INTEGER;
  const known = kindsFor(c.var.person.role).includes(query.kind) ? query.kind : '';
  const selected = {
    ...{ filter: query.q, kind: known, from: Date.parse(query.from) || 0, most },
    before: Math.min(end, before),
  };
  return { query, rows: auditRows(c.env.DB, c.var.person.role, selected) };
}

export async function showAudit(c: Context<App>): Promise<Response> {
  const { query, rows: selected } = selectedIn(c, maxRows);
  const rows = await selected;
  const { role } = c.var.person;
  const isWhole = may(role, 'people');
  const refunded = rows.flatMap(({ action, target }) =>
    isWhole && action === 'refund' ? [target as PaymentId] : [],
  );
  const payers = new Map(
    (await payersIn(c, refunded)).map(({ payment_id, email }) => [String(payment_id), email]),
  );
  return consolePage(
    c,
    <Audit
      rows={rows.map((row) => ({
        ...row,
        action: actionText(row.action),
        target: [row.target, versionIn(row)].filter(Boolean).join(' '),
        who: payers.get(row.target) ?? '',
        href: pageOf(row, isWhole),
        details: detailLines(row.details, /^refunded \d+ ([A-Z]{3})$/.exec(row.result)?.[1]),
        result: versionIn(row) ? '' : resultText(row.result, amountText).replace(/^refunded /, ''),
      }))}
      query={query}
      kinds={kindsFor(role)}
      textOf={actionText}
      isWhole={isWhole}
      isFull={rows.length === maxRows}
    />,
  );
}

const columns = ['time', 'operator', 'action', 'target', 'details', 'reason', 'result'] as const;

export async function exportAudit(c: Context<App>): Promise<Response> {
  const rows = await selectedIn(c, maxExported).rows;
  const zone = zoneOf(c);
  return csvResponse(c, 'audit.csv', [
    columns.map((name) => (name === 'time' ? `time, ${zone}` : name)),
    ...rows.map((row) =>
      columns.map((name) => (name === 'time' ? zonedTime(Date.parse(row.time), zone) : row[name])),
    ),
  ]);
}
