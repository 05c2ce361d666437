import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import type { VisitorId } from '../../../worker/platform/types.ts';
import {
  deleteConsents,
  insertConsent,
  markErased,
  withdrawnChoices,
} from '../../../worker/visitor/consent-table.ts';
import { consentVersion } from '../../../worker/visitor/rules/consent.ts';

const where = { country: 'DE', language: 'de' };

test('consent table: given consent is stored with the visitor, a refusal without', async () => {
  const visitor = crypto.randomUUID() as VisitorId;
  await insertConsent(env.DB, { visitor, choice: 'yes', ...where }, 1);
  await insertConsent(env.DB, { visitor, choice: 'no', ...where }, 2);
  const { results } = await env.DB.prepare(
    `SELECT visitor_id AS visitor, choice, version, country, language, chosen_at AS at
     FROM consents ORDER BY chosen_at`,
  ).all();
  expect(results).toEqual([
    { visitor, choice: 'yes', version: consentVersion, ...where, at: 1 },
    { visitor: null, choice: 'no', version: consentVersion, ...where, at: 2 },
  ]);
});

test('consent table: a refusal is found, with or without earlier consent, until consent is given again', async () => {
  const [one, other, nobody] = [
    crypto.randomUUID() as VisitorId,
    crypto.randomUUID() as VisitorId,
    crypto.randomUUID() as VisitorId,
  ];
  const all = [one, other, nobody, one];
  const record = (visitor: VisitorId, choice: 'yes' | 'no', at: number) =>
    insertConsent(env.DB, { visitor, choice, ...where }, at);
  for (const visitor of [one, other]) await record(visitor, 'yes', 1);
  expect(await withdrawnChoices(env.DB, all)).toEqual(new Set());
  await record(nobody, 'no', 1);
  await record(one, 'no', 2);
  expect(await withdrawnChoices(env.DB, all)).toEqual(new Set([one, nobody]));
  for (const visitor of [one, nobody]) await record(visitor, 'yes', 3);
  expect(await withdrawnChoices(env.DB, all)).toEqual(new Set());
  await record(nobody, 'no', 4);
  expect(await withdrawnChoices(env.DB, all)).toEqual(new Set([nobody]));
});

test('consent table: a late choice counts from its own time', async () => {
  const [no, yes] = [crypto.randomUUID() as VisitorId, crypto.randomUUID() as VisitorId];
  const record = (visitor: VisitorId, choice: 'yes' | 'no', at: number) =>
    insertConsent(env.DB, { visitor, choice, ...where }, at);
  await record(no, 'no', 12);
  await record(no, 'yes', 11);
  await record(yes, 'yes', 12);
  await record(yes, 'no', 11);
  expect(await withdrawnChoices(env.DB, [no as VisitorId, yes as VisitorId])).toEqual(
    new Set([no]),
  );
});

test('consent table: the mark of an erased visitor outlives their choices, and a later erasure deletes it', async () => {
  const [gone, next] = [crypto.randomUUID() as VisitorId, crypto.randomUUID() as VisitorId];
  const week = 7 * 24 * 60 * 60_000;
  await insertConsent(env.DB, { visitor: gone, choice: 'yes', country: 'DE', language: 'de' }, 1);
  await markErased(env.DB, gone, 2);
  await deleteConsents(env.DB, gone);
  expect(await withdrawnChoices(env.DB, [gone])).toEqual(new Set([gone]));
  const rows = env.DB.prepare(
    'SELECT choice, country, language FROM consents WHERE visitor_id = ?',
  );
  const marks = [{ choice: 'no', country: '', language: '' }];
  expect((await rows.bind(gone).all()).results).toEqual(marks);
  await markErased(env.DB, next, 2 + week);
  expect((await rows.bind(gone).all()).results).toEqual(marks);
  await markErased(env.DB, next, 2 + 2 * week);
  expect((await rows.bind(gone).all()).results).toEqual([]);
});

test('consent table: however often a visitor chooses, each choice has one row, and the last choice counts', async () => {
  const [yesFirst, noFirst] = [crypto.randomUUID() as VisitorId, crypto.randomUUID() as VisitorId];
  const rows = () =>
    env.DB.prepare(
      'SELECT count(*) AS n FROM consents WHERE chosen_at BETWEEN 100 AND 199',
    ).first<number>('n');
  for (let at = 100; at < 120; at += 1) {
    const choices = at % 2 ? (['no', 'yes'] as const) : (['yes', 'no'] as const);
    for (const [index, visitor] of [yesFirst, noFirst].entries()) {
      const choice = choices[index] ?? 'no';
      // The second is a retry.
      for (let time = 0; time < 2; time += 1)
        await insertConsent(env.DB, { visitor, choice, ...where }, at);
      expect((await withdrawnChoices(env.DB, [visitor])).has(visitor)).toBe(choice === 'no');
    }
  }
  expect(await rows()).toBe(4);
});

test('consent table: consent that is repeated keeps the time when it was first given', async () => {
  const visitor = crypto.randomUUID() as VisitorId;
  for (const at of [200, 201])
    await insertConsent(env.DB, { visitor, choice: 'yes', ...where }, at);
  const query = env.DB.prepare('SELECT chosen_at AS at FROM consents WHERE visitor_id = ?');
  expect((await query.bind(visitor).all()).results).toEqual([{ at: 200 }]);
});
