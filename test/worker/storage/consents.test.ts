import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { noteConsent } from '../../../worker/storage/consents.ts';

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
