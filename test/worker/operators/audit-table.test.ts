import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { insertCommand, recordCommandResult } from '../../../worker/operators/audit-table.ts';

const deed = { who: 'ann', what: 'refund', target: 'pi', details: { amount: 5 }, reason: 'asked' };
const row = (id: string) => env.DB.prepare('SELECT * FROM audit WHERE id = ?').bind(id).first();

test('a deed is noted as begun, then with what it came to', async () => {
  const id = await insertCommand(env.DB, deed, 7);
  const noted = { ...deed, id, details: '{"amount":5}', at: 7 };
  expect(await row(id)).toEqual({ ...noted, result: 'begun' });
  await recordCommandResult(env.DB, id, 'refunded 5');
  expect(await row(id)).toEqual({ ...noted, result: 'refunded 5' });
});

test('the same deed twice is two rows', async () => {
  const ids = [await insertCommand(env.DB, deed, 7), await insertCommand(env.DB, deed, 7)];
  expect(new Set(ids).size).toBe(2);
});
