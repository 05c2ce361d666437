import { env } from 'cloudflare:test';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { consoleApp } from '../../../worker/console/console-app.tsx';
import { namespaceKv } from '../../../worker/documents/kv.ts';
import { request } from '../request.ts';
import { asRole, open, send as sendForm, signIn } from './console-client.ts';

const origin = 'https://funnel.example';
/** State that a write could have changed. */
async function state() {
  const keys = (await namespaceKv(env.FUNNEL).list('')).map(({ name }) => name);
  const counts = await env.DB.prepare(
    `SELECT (SELECT count(*) FROM audit WHERE action <> 'evidence') AS audit,
       (SELECT count(*) FROM config_publications) AS publications,
       (SELECT count(*) FROM scheduled_publications) AS scheduled`,
  ).first();
  // Without the code of a session and the token of a preview page, which lasts an hour.
  return { keys: keys.filter((name) => !/^(console|preview)\//.test(name)), counts };
}

const part = fc.oneof(
  fc.constantFrom('..', '%2e%2e', '%00', '%', "'; DROP TABLE audit; --", '<script>', 'é', ' '),
  fc.string({ maxLength: 20 }),
);
const routes = consoleApp.routes.filter(({ method }) => method !== 'ALL');
/** A route of the console with any values for its parameters, or no route at all. */
const routePath = fc
  .tuple(fc.constantFrom(...routes), fc.array(part, { minLength: 3, maxLength: 3 }))
  .map(([{ method, path }, values]) => {
    const filled = path.replace(/:action\{(\w+)[^}]*\}|:\w+/g, (_, own) => own ?? values.pop());
    return { method, path: filled };
  });
const anyPath = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'PATCH'),
  path: fc.array(part, { maxLength: 5 }).map((all) => `/console/${all.join('/')}`),
});
const names =
  'base config flows catalog claims version key weight text reason area hours id text.de screen ship at once claim id.source id.at source fits alias frame name from to back flow code was kind value plans scope until most codes remove variant step place use added typed fill country currency amount offer when zone show period price_usd ticked';
const name = fc.constantFrom(...names.split(' '));
const value = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.json({ maxDepth: 3 }),
  fc.constantFrom('null', '[]', '1e999', '-0', '\u0000', 'x'.repeat(70_000), '__proto__'),
  fc.constantFrom('0000-01-01', '9999-12-31', '/console?\u0000'),
);
const body = fc.oneof(
  fc.array(fc.tuple(name, value), { maxLength: 12 }).map((all) => `${new URLSearchParams(all)}`),
  fc.string(),
  fc.constantFrom('%', '%zz', '&&&===', '{"a":', '\u0000'),
);
const input = fc
  .tuple(fc.oneof({ weight: 4, arbitrary: routePath }, anyPath), body, body)
  .map(([target, query, sent]) => ({ ...target, query, body: sent }));
type Input = typeof input extends fc.Arbitrary<infer Value> ? Value : never;

const numRuns = env.FULL ? 2000 : 150;

async function send(given: Input, headers: Record<string, string>, more = {}) {
  const { method, path, query } = given;
  const reads = method === 'GET' || method === 'HEAD';
  const url = new URL(`${origin}${path}`);
  url.search = query;
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const init = { method, headers: { ...type, ...headers }, ...(reads ? {} : { body: given.body }) };
  return request(url.href, init, more);
}

test('console: no hostile input breaks it', async () => {
  const { cookie = '' } = await signIn();
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  await fc.assert(
    fc.asyncProperty(input, async (given) => {
      expect((await send(given, headers)).status).toBeLessThan(500);
    }),
    { numRuns },
  );
});

const reviews = ['review', 'texts/review', 'texts/edit', 'texts/publish', 'texts/schedule'];

test.each(
  [...reviews, 'texts/confirm'].flatMap((path) => [
    [path, ''],
    [path, 'x'.repeat(600)],
  ]),
)('console: %s of a version that does not exist is 404', async (path, version) => {
  const response = await sendForm(
    `/console/${path}`,
    { version },
    {
      headers: await signIn(),
    },
  );
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('There is no such version.');
});

test.each([
  ['9999-12-31', '9999-12-31'],
  ['0000-01-01', '0001-02-01'],
])(
  'console: for the days %s to %s, which do not exist in the calendar, the default period is shown',
  async (from, to) => {
    const headers = await signIn();
    for (const page of ['', '/overview.csv', '/step']) {
      const path = `/console${page}?screen=success&from=${from}&to=${to}`;
      expect([path, (await open(path, { headers })).status]).toEqual([path, 200]);
    }
  },
);

test('console: a return address that is not a valid header leads to the overview', async () => {
  const fields = { zone: 'UTC', back: '/console?\u0000' };
  const response = await sendForm('/console/time-zone', fields, { headers: await signIn() });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/console']);
});

test('console: a viewer cannot change anything', async () => {
  const before = await state();
  const viewer = await asRole('viewer');
  const headers = { ...viewer.headers, 'sec-fetch-site': 'same-origin' };
  expect((await open('/console/versions', viewer)).status).toBe(200);
  await fc.assert(
    fc.asyncProperty(input, async (given) => {
      expect((await send(given, headers, viewer.more)).status).toBeLessThan(500);
    }),
    { numRuns },
  );
  expect(await state()).toEqual(before);
});

test('console: a form posted from another site changes nothing', async () => {
  const before = await state();
  const { cookie = '' } = await signIn();
  const headers = { cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
  await fc.assert(
    fc.asyncProperty(input, async (given) => {
      expect((await send(given, headers)).status).toBeLessThan(500);
    }),
    { numRuns },
  );
  expect(await state()).toEqual(before);
});
