import { env } from 'cloudflare:test';
import { Hono } from 'hono';
import { beforeEach, expect, test } from 'vitest';
import type { App } from '../../../worker/env.ts';
import { errorHandler } from '../../../worker/error-handler.ts';
import { Refusal } from '../../../worker/errors.ts';
import { requestLog } from '../../../worker/http/request-log.ts';
import { audited } from '../../../worker/operators/audited-command.ts';
import { auditOf } from '../payments/webhooks/admin-client.ts';
import { listen } from '../payments/webhooks/captured-log.ts';

beforeEach(() => void listen());

/** Does something to a target, as one route of the operators’ API would. */
async function act(target: string, doing: () => Promise<number>, operator = '', who?: string) {
  const app = new Hono<App>().use(requestLog).onError(errorHandler);
  app.post('/admin/act', async (c) => {
    const deed = { who, what: 'act', target, details: { sum: 5 }, reason: 'because' };
    return c.json({ data: await audited(c, deed, doing, (result) => `did ${result}`) });
  });
  const headers = { 'x-operator': operator };
  const answer = await app.request('/admin/act', { method: 'POST', headers }, env);
  return { status: answer.status, rows: await auditOf(target) };
}

test('what was done stands in the audit with who, what, why and the result', async () => {
  expect(await act('done', async () => 7, 'ann')).toEqual({
    status: 200,
    rows: [{ who: 'ann', what: 'act', reason: 'because', result: 'did 7', details: '{"sum":5}' }],
  });
});

test('the row is there before anything is done', async () => {
  const during = async () => (await auditOf('during')).length;
  expect(await act('during', during)).toMatchObject({ rows: [{ result: 'did 1' }] });
});

test('a refusal and a failure stand there too', async () => {
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
  ['the header', 'ann', 'bob', 'ann'],
  ['the header, encoded', encodeURIComponent('Zoë'), undefined, 'Zoë'],
  ['the header, as it is', '100%', undefined, '100%'],
  ['the body', '', 'bob', 'bob'],
  ['nobody', '', undefined, 'unnamed'],
])('who asks is named by %s', async (how, operator, who, expected) => {
  const { rows } = await act(how, async () => 1, operator, who);
  expect(rows[0]?.who).toBe(expected);
});
