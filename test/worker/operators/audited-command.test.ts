import { env } from 'cloudflare:test';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { requestLog } from '../../../worker/http/request-log.ts';
import {
  audited,
  insertCommand,
  recordCommandResult,
} from '../../../worker/operators/audited-command.ts';
import { errorHandler } from '../../../worker/pages/error-handler.ts';
import type { App } from '../../../worker/platform/env.ts';
import { Refusal } from '../../../worker/platform/errors.ts';
import { auditOf } from '../payments/webhooks/admin-client.ts';

/** Runs a command like a route of the operators’ API. */
async function act(
  target: string,
  run: () => Promise<number>,
  header = '',
  named: string | null = null,
) {
  const app = new Hono<App>().use(requestLog).onError(errorHandler);
  app.use((c, next) => {
    c.set('operator', named);
    return next();
  });
  app.post('/admin/act', async (c) => {
    const command = { action: 'act', target, details: { sum: 5 }, reason: 'because' };
    return c.json({ data: await audited(c, command, run, (result) => `did ${result}`) });
  });
  const headers = { 'x-operator': header };
  const response = await app.request('/admin/act', { method: 'POST', headers }, env);
  return { status: response.status, rows: await auditOf(target) };
}

test('audit: a command’s row has operator, command, reason and result', async () => {
  expect(await act('done', async () => 7, '', 'ann')).toEqual({
    status: 200,
    rows: [
      { operator: 'ann', action: 'act', reason: 'because', result: 'did 7', details: '{"sum":5}' },
    ],
  });
});

test('audit: the row exists before the command runs', async () => {
  const during = async () => (await auditOf('during')).length;
  expect(await act('during', during)).toMatchObject({ rows: [{ result: 'did 1' }] });
});

test('audit: refusals and errors are results too', async () => {
  const refuse = async () => Promise.reject(new Refusal('payment_unknown'));
  expect(await act('refused', refuse)).toMatchObject({
    status: 404,
    rows: [{ result: 'payment_unknown' }],
  });
  const break_ = async () => Promise.reject(new Error('lost'));
  expect(await act('broken', break_)).toMatchObject({
    status: 502,
    rows: [{ result: 'gateway_ambiguous' }],
  });
});

test.each([
  ['the token’s name', '', 'ann', 'ann'],
  ['the token’s name, not the header', 'bob', 'ann', 'ann'],
  ['a shared token, which claims a name', 'bob', null, 'ADMIN_TOKEN (bob)'],
  ['a shared token, encoded', encodeURIComponent('Zoë'), null, 'ADMIN_TOKEN (Zoë)'],
  ['a shared token, not encoded', '100%', null, 'ADMIN_TOKEN (100%)'],
  [
    'a shared token, a claim that looks like a person',
    'ann@example.com',
    null,
    'ADMIN_TOKEN (ann@example.com)',
  ],
  ['a shared token without a claim', '', null, 'ADMIN_TOKEN'],
])('audit: the operator comes from %s', async (how, header, named, expected) => {
  const { rows } = await act(how, async () => 1, header, named);
  expect(rows[0]?.operator).toBe(expected);
});

const refund = {
  operator: 'ann',
  action: 'refund',
  target: 'pi',
  details: { amount: 5 },
  reason: 'asked',
};
const row = (id: string) => env.DB.prepare('SELECT * FROM audit WHERE id = ?').bind(id).first();

test('audit: a row is `begun` until its result is recorded', async () => {
  const id = await insertCommand(env.DB, refund, 7);
  const expected = { ...refund, id, details: '{"amount":5}', started_at: 7 };
  expect(await row(id)).toEqual({ ...expected, result: 'begun' });
  await recordCommandResult(env.DB, id, 'refunded 5');
  expect(await row(id)).toEqual({ ...expected, result: 'refunded 5' });
});

test('audit: the same command twice makes two rows', async () => {
  const ids = [await insertCommand(env.DB, refund, 7), await insertCommand(env.DB, refund, 7)];
  expect(new Set(ids).size).toBe(2);
});
