import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { noteConsent, withdrawnOf } from '../../../worker/storage/consents.ts';

const where = { country: 'DE', language: 'de' };

test('a yes is kept with its visitor, a no without', async () => {
  const visitor = crypto.randomUUID();
  await noteConsent(env.DB, { visitor, choice: 'yes', ...where }, 1);
  await noteConsent(env.DB, { visitor, choice: 'no', ...where }, 2);
  const { results } = await env.DB.prepare(
    'SELECT visitor, choice, version, country, language, at FROM consents ORDER BY at',
  ).all();
  expect(results).toEqual([
    { visitor, choice: 'yes', version: 1, ...where, at: 1 },
    { visitor: null, choice: 'no', version: 1, ...where, at: 2 },
  ]);
});

test('who took a yes back is known, until the next yes', async () => {
  const [one, other, nobody] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  const all = [one, other, nobody, one];
  const say = (visitor: string, choice: 'yes' | 'no', at: number) =>
    noteConsent(env.DB, { visitor, choice, ...where }, at);
  for (const visitor of [one, other]) await say(visitor, 'yes', 1);
  await say(nobody, 'no', 1);
  expect(await withdrawnOf(env.DB, all)).toEqual(new Set());
  await say(one, 'no', 2);
  expect(await withdrawnOf(env.DB, all)).toEqual(new Set([one]));
  await say(one, 'yes', 3);
  expect(await withdrawnOf(env.DB, all)).toEqual(new Set());
});
