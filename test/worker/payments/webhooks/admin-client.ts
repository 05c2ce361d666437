import { env } from 'cloudflare:test';
import type { Env } from '../../../../worker/platform/env.ts';
import { request } from '../../request.ts';

const token = 'the operators’ token, long enough';

/** Calls the operators' API: POST with a body, else GET. */
export async function operate(path: string, body?: object, more: Partial<Env> = {}) {
  const headers = {
    authorization: `Bearer ${encodeURIComponent(token)}`,
    'content-type': 'application/json',
    'x-operator': 'ann',
  };
  const init = body
    ? { method: 'POST', headers, body: JSON.stringify(body) }
    : { method: 'GET', headers };
  const response = await request(`/admin${path}`, init, {
    ADMIN_TOKEN: encodeURIComponent(token),
    ...more,
  });
  return { status: response.status, ...((await response.json()) as Answer) };
}

interface Answer {
  // Every endpoint has its own shape, which the tests check.
  data: never;
  errors?: { code: string };
}

type Audited = Record<'operator' | 'action' | 'reason' | 'result' | 'details', string>;

/** The audit rows of a target, oldest first. */
export async function auditOf(target: string): Promise<Audited[]> {
  const { results } = await env.DB.prepare(
    `SELECT operator, action, reason, result, details FROM audit
     WHERE target = ? ORDER BY started_at, rowid`,
  )
    .bind(target)
    .all<Audited>();
  return results;
}
