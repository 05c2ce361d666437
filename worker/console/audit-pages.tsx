import type { D1Database } from '@cloudflare/workers-types';
import type { Context } from 'hono';
import { Audit, type AuditRow } from '../../screens/console/audit.tsx';
import type { App } from '../env.ts';
import { consolePage, csvResponse } from './console-response.tsx';

const maxRows = 200;
const maxExported = 10_000;

type StoredRow = Omit<AuditRow, 'time'> & { started_at: number };

/**
 * @param filter only rows that contain it in operator, action or target
 * @param before only rows that started earlier, ms since 1970
 */
export async function auditRows(
  db: D1Database,
  filter: string,
  before: number,
  most: number,
): Promise<AuditRow[]> {
  const { results } = await db
    .prepare(
      `SELECT id, operator, action, target, details, reason, result, started_at FROM audit
       WHERE started_at < ?2
         AND (?1 = '' OR instr(lower(operator || ' ' || action || ' ' || target), lower(?1)) > 0)
       ORDER BY started_at DESC LIMIT ?3`,
    )
    .bind(filter, before, most)
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
  const rows = await auditRows(c.env.DB, filter, before, maxRows);
  return consolePage(
    c,
    <Audit person={c.var.person} rows={rows} filter={filter} isFull={rows.length === maxRows} />,
  );
}

const columns = ['time', 'operator', 'action', 'target', 'details', 'reason', 'result'] as const;

export async function exportAudit(c: Context<App>): Promise<Response> {
  const rows = await auditRows(c.env.DB, filterOf(c), Number.MAX_SAFE_INTEGER, maxExported);
  return csvResponse(c, 'audit.csv', [
    columns,
    ...rows.map((row) => columns.map((name) => row[name])),
  ]);
}
