import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import builtIn from '../../../../worker/catalog/rules/built-in-catalog.json' with { type: 'json' };
import { publishDocuments } from '../../../../worker/console/publishing/publish-documents.ts';
import { readVersions } from '../../../../worker/documents/document-store.ts';
import { namespaceKv } from '../../../../worker/documents/kv.ts';
import { readLive } from '../../../../worker/documents/live-documents.ts';
import { manifestKey } from '../../../../worker/documents/manifest.ts';
import { configSet } from '../../../../worker/experiments/config-set.ts';
import { arm, configText, flowsText, texts } from '../../../scripts/config/command-context.ts';
import { stubBraintree } from '../../payments/gateways/braintree/braintree-fixture.ts';
import { hiddenFields, open, send, signIn } from '../console-client.ts';

const kv = namespaceKv(env.FUNNEL);
const half = texts(configText([arm('a', 50), arm('b', 50)]));

beforeEach(async () => {
  for (const key of await kv.list('')) await env.FUNNEL.delete(key.name);
  await env.DB.batch([
    env.DB.prepare('DELETE FROM config_publications'),
    env.DB.prepare('DELETE FROM audit'),
  ]);
  for (const [key, text] of Object.entries(half)) await env.FUNNEL.put(key, text);
});

const rows = (weights: Record<string, number>) => [
  ['experiment', 'e'],
  ...Object.entries(weights).flatMap(([key, weight]) => [
    ['key', key],
    ['weight', String(weight)],
    ['flow', 'default'],
  ]),
];

/** Opens the form and reviews a split. @returns the review's page and its form fields */
async function review(
  headers: Record<string, string>,
  weights: Record<string, number>,
  base?: string,
) {
  const form = hiddenFields(await (await open('/console/experiments', { headers })).text());
  const fields = [['base', base ?? form.base ?? ''], ...rows(weights)];
  const response = await send('/console/review', fields, { headers });
  const html = await response.text();
  return {
    status: response.status,
    html,
    fields: withReason(html),
    base: form.base,
  };
}

const withReason = (html: string) => [...Object.entries(hiddenFields(html)), ['reason', 'a test']];

const weightsLive = async () => {
  const { variants } = JSON.parse((await readLive(kv, configSet)).documents['config.json'] ?? '');
  return Object.fromEntries(
    variants.map(({ key, weight }: { key: string; weight: number }) => [key, weight]),
  );
};

const audit = async () =>
  (await env.DB.prepare('SELECT operator, action, result FROM audit').all()).results;

test('console publishing: a marketer reviews a change as plain sentences and publishes it', async () => {
  const headers = await signIn();
  const { html, fields } = await review(headers, { a: 38, b: 62 });
  expect(html).toContain('12% of new visitors will see “b” instead of “a”.');
  const sent = await send('/console/publish', fields, { headers });
  expect([sent.status, sent.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^\/console\/experiments\?published=\d{8}-\d{6}-\d{3}$/),
  ]);
  expect(await weightsLive()).toEqual({ a: 38, b: 62 });
  expect(await audit()).toEqual([
    { operator: 'you@localhost', action: 'publish', result: expect.stringMatching(/^published 2/) },
  ]);
  const [version] = await readVersions(kv, configSet);
  expect(version).toMatchObject({ who: 'you@localhost' });
});

test('console publishing: publishing is idempotent', async () => {
  const headers = await signIn();
  const { fields } = await review(headers, { a: 40, b: 60 });
  await send('/console/publish', fields, { headers });
  const again = await send('/console/publish', fields, { headers });
  expect([again.status, again.headers.get('location')]).toEqual([303, '/console/experiments']);
  const authors = (await readVersions(kv, configSet)).map(({ who }) => who);
  expect(authors).toEqual(['you@localhost', 'written by hand']);
});

test.each(['publish', 'schedule'])('console publishing: to %s needs a reason', async (path) => {
  const headers = await signIn();
  const { html } = await review(headers, { a: 40, b: 60 });
  const sent = [...Object.entries(hiddenFields(html)), ['at', '2027-01-01T09:00'], ['reason', ' ']];
  const refused = await send(`/console/${path}`, sent, { headers });
  const page = await refused.text();
  expect([refused.status, page.includes('Enter a reason.')]).toEqual([422, true]);
  expect(await weightsLive()).toEqual({ a: 50, b: 50 });
  expect(await audit()).toEqual([]);
});

test('console publishing: a rollback warns about the changes that it removes', async () => {
  const headers = await signIn();
  await send('/console/publish', (await review(headers, { a: 40, b: 60 })).fields, { headers });
  const [older] = await readVersions(kv, configSet);
  const coupon = { percent: 20, plans: ['monthly'] };
  const later = texts(
    configText([arm('a', 40), arm('b', 50), arm('c', 10)], { coupons: { DEC20: coupon } }),
    flowsText({}, { spring: 'one_pager' }),
  );
  for (const [key, text] of Object.entries(later)) await env.FUNNEL.put(key, text);
  await env.DB.exec('DELETE FROM config_publications');
  const back = await send('/console/review', [['version', older?.id ?? '']], { headers });
  const [warning = ''] =
    /<div class="notice caution"[^>]*>.*?<\/div>/s.exec(await back.text()) ?? [];
  for (const words of [
    'The coupon DEC20 stops working.',
    'The address /spring stops working.',
    'The variant “c” is removed. Its visitors get another one.',
    'A rollback undoes every later change, not only those of the experiment.',
  ])
    expect(warning).toContain(words);
  const { html } = await review(headers, { a: 50, b: 40, c: 10 });
  expect(html).not.toContain('What this change removes');
});

test('console publishing: weights that do not add up to 100 are refused with an error in the form', async () => {
  const headers = await signIn();
  const { status, html } = await review(headers, { a: 40, b: 61 });
  expect(status).toBe(422);
  expect(html).toContain('variants: weights do not add up to 100');
  expect(html).toContain('value="61"');
});

test('console publishing: an invalid field has its error beside it', async () => {
  const headers = await signIn();
  const { html } = await review(headers, { 'a b': 40, b: 60 });
  const [input = ''] = /<input[^>]*value="a b"[^>]*>/.exec(html) ?? [];
  expect(input).toContain('aria-invalid="true" aria-describedby="problem-variants-0-key"');
  expect(html).toContain('id="problem-variants-0-key"');
});

test('console publishing: with two editors the second sees the change of the first and a diff', async () => {
  const headers = await signIn();
  const [first, second] = [
    await review(headers, { a: 40, b: 60 }),
    await review(headers, { a: 10, b: 90 }),
  ];
  await send('/console/publish', first.fields, { headers });
  const sent = await send('/console/publish', second.fields, { headers });
  const html = await sent.text();
  expect(sent.status).toBe(409);
  expect(html).toContain('you@localhost published another version');
  expect(await weightsLive()).toEqual({ a: 40, b: 60 });
  const retried = await send('/console/publish', withReason(html), { headers });
  expect(retried.status).toBe(303);
  expect(await weightsLive()).toEqual({ a: 10, b: 90 });
});

test('console publishing: an editor with an outdated form is told at the review', async () => {
  const headers = await signIn();
  const { fields, base } = await review(headers, { a: 40, b: 60 });
  await send('/console/publish', fields, { headers });
  const late = await review(headers, { a: 50, b: 50 }, base);
  expect(late.status).toBe(409);
});

test('console publishing: of two concurrent publications one wins', async () => {
  const { fingerprint: base } = await readLive(kv, configSet);
  const publish = (weight: number) =>
    publishDocuments(configSet, kv, env.DB, {
      next: texts(configText([arm('a', weight), arm('b', 100 - weight)])),
      base,
      who: 'ann',
      now: new Date(),
    });
  const results = await Promise.all([publish(10), publish(20), publish(30)]);
  expect(results.map(({ kind }) => kind).sort()).toEqual(['conflict', 'conflict', 'published']);
});

test('console publishing: a version that KV does not serve yet counts as live', async () => {
  const { fingerprint: base } = await readLive(kv, configSet);
  const stale = {
    ...kv,
    get: async (key: string) => (key === manifestKey ? null : kv.get(key)),
    getWrittenByHand: async (key: string) => half[key as keyof typeof half] ?? null,
  };
  const next = texts(configText([arm('a', 10), arm('b', 90)]));
  const publication = { next, base, who: 'ann', now: new Date() };
  expect((await publishDocuments(configSet, stale, env.DB, publication)).kind).toBe('published');
  const other = texts(configText([arm('a', 20), arm('b', 80)]));
  expect(
    await publishDocuments(configSet, stale, env.DB, { ...publication, next: other }),
  ).toMatchObject({
    kind: 'conflict',
    live: { documents: next },
  });
});

test('console publishing: a failed write can be repeated', async () => {
  const { fingerprint: base } = await readLive(kv, configSet);
  const next = texts(configText([arm('a', 10), arm('b', 90)]));
  const publication = { next, base, who: 'ann', now: new Date() };
  const broken = { ...kv, put: async () => Promise.reject(new Error('quota')) };
  await expect(publishDocuments(configSet, broken, env.DB, publication)).rejects.toThrow(
    'Not written: documents/',
  );
  expect((await publishDocuments(configSet, kv, env.DB, publication)).kind).toBe('published');
});

test('console publishing: an earlier version can be published again', async () => {
  const headers = await signIn();
  await send('/console/publish', (await review(headers, { a: 40, b: 60 })).fields, { headers });
  await send('/console/publish', (await review(headers, { a: 30, b: 70 })).fields, { headers });
  const [, older] = await readVersions(kv, configSet);
  const page = await (await open('/console/versions', { headers })).text();
  expect(page).toContain(older?.id);
  const reviewed = await send('/console/review', [['version', older?.id ?? '']], { headers });
  const html = await reviewed.text();
  expect(html).toContain('variant a: weight 30 → 40');
  expect(html).not.toContain('The experiment has another name');
  await send('/console/publish', withReason(html), { headers });
  expect(await weightsLive()).toEqual({ a: 40, b: 60 });
});

test.each(['cross-site', 'same-site', 'none'])(
  'console publishing: a form sent %s is refused',
  async (site) => {
    const headers = await signIn();
    const { fields } = await review(headers, { a: 40, b: 60 });
    const sent = await send('/console/publish', fields, {
      headers: { ...headers, 'sec-fetch-site': site },
    });
    expect(sent.status).toBe(403);
    expect(await weightsLive()).toEqual({ a: 50, b: 50 });
  },
);

test('console publishing: hostile names are escaped', async () => {
  const headers = await signIn();
  const { html } = await review(headers, { '<script>alert(1)</script>': 40, '"onfocus=x': 60 });
  expect(html).not.toContain('<script>alert');
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).not.toMatch(/value=""onfocus/);
});

test('console audit: rows are listed newest first, filtered, and exported without spreadsheet formulas', async () => {
  const headers = await signIn();
  const insert = env.DB.prepare(
    `INSERT INTO audit VALUES (?1, ?2, 'refund', '=cmd|x', '{}', 'a "reason"', ?3, 'done')`,
  );
  await env.DB.batch([insert.bind('1', 'ann', 1), insert.bind('2', 'bob', 2)]);
  const page = await (await open('/console/audit', { headers })).text();
  expect(page.indexOf('bob')).toBeLessThan(page.indexOf('ann'));
  const cookie = `${headers.cookie}; __Host-console-time-zone=Asia/Tokyo`;
  const csv = await (await open('/console/audit.csv?q=ANN', { headers: { cookie } })).text();
  expect(csv.split('\r\n')).toEqual([
    '"time, Asia/Tokyo","operator","action","target","details","reason","result"',
    `"1970-01-01T09:00:00+09:00","ann","refund","'=cmd|x","{}","a ""reason""","done"`,
    '',
  ]);
});

test('console publishing: Back from a review or its previews keeps the input', async () => {
  const headers = await signIn();
  const { html } = await review(headers, { a: 0, b: 100 });
  const { base = '', config = '', flows = '' } = hiddenFields(html);
  const sent = Object.entries({ base, config, flows });
  const form = await (await send('/console/experiments', sent, { headers })).text();
  expect(form).toContain('value="100"');
  expect(form).toContain('The split tests 2 variants.');
  const screens = await (await send('/console/preview', sent, { headers })).text();
  const carried = Object.entries(hiddenFields(screens));
  expect(Object.fromEntries(carried)).toMatchObject({ base, config, flows });
  const again = await (await send('/console/review', carried, { headers })).text();
  expect(hiddenFields(again)).toMatchObject({ base, config, flows });
});

test('console publishing: renaming the experiment warns that all visitors are assigned again', async () => {
  const headers = await signIn();
  const { base = '' } = hiddenFields(
    await (await open('/console/experiments', { headers })).text(),
  );
  const [, ...variants] = rows({ a: 40, b: 60 });
  const sent = [['base', base], ['experiment', 'renamed'], ...variants];
  const html = await (await send('/console/review', sent, { headers })).text();
  expect(html).toContain('All visitors, including returning ones, are assigned again: 40%');
  expect(html).not.toMatch(/of new visitors will see|keep their/);
});

test('console publishing: form and review both say that returning visitors keep their variant', async () => {
  const headers = await signIn();
  const form = await (await open('/console/experiments', { headers })).text();
  const { html } = await review(headers, { a: 40, b: 60 });
  expect(form).toContain('only new visitors are assigned; returning visitors keep their variant.');
  expect(html).toContain('Only new visitors are assigned; returning visitors keep their variant.');
});

test('console publishing: the notice of a publication links to the rollback', async () => {
  const headers = await signIn();
  const { fields } = await review(headers, { a: 40, b: 60 });
  const sent = await send('/console/publish', fields, { headers });
  const html = await (await open(sent.headers.get('location') ?? '', { headers })).text();
  const [notice = ''] = /<div class="notice done"[^>]*>.*?<\/div>/s.exec(html) ?? [];
  expect(notice).toMatch(
    /Published version .* Every visitor gets it by \d\d\d\d-\d\d-\d\d \d\d:\d\d\..*<a href="\/console\/versions">Roll back to an earlier version</,
  );
});

test('console time zone: it can be changed on pages that keep their URL, and is only shown after a form was sent', async () => {
  const headers = await signIn();
  const form = 'action="/console/time-zone"';
  expect(await (await open('/console/experiments', { headers })).text()).toContain(form);
  const { html } = await review(headers, { a: 40, b: 60 });
  expect(html).toContain('Time zone UTC');
  expect(html).not.toContain(form);
});

/** A catalog with a plan that Braintree does not have yet. */
const clubText = JSON.stringify({
  products: {
    ...builtIn.products,
    club: {
      ...builtIn.products.monthly,
      ...{ label: 'Club', period: 'quarter', versions: { 1: { prices: { USD: 79, EUR: 79 } } } },
    },
  },
});

async function reviewedClub(headers: Record<string, string>) {
  const { base = '' } = hiddenFields(
    await (await open('/console/experiments', { headers })).text(),
  );
  const sent = { base, config: half['config.json'], flows: half['flows.json'], catalog: clubText };
  const html = await (await send('/console/review', sent, { headers })).text();
  return { html, fields: withReason(html) };
}

const unsoldNow = async () => (await readLive(kv, configSet)).manifest.config?.unsold;

test('console publishing: a silent payment provider publishes nothing of a new plan; publishing again finishes it', async () => {
  const braintree = { isDown: false };
  const { calls } = stubBraintree({
    before: ({ method }) =>
      braintree.isDown && method === 'GET' ? new Response('', { status: 500 }) : undefined,
  });
  const headers = await signIn();
  const { html, fields } = await reviewedClub(headers);
  expect(html).toContain('<h2>Payment providers</h2>');
  expect(html).toContain('Braintree creates ');
  braintree.isDown = true;
  const refused = await send('/console/publish', fields, { headers });
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain(
    'Nothing was published: Braintree did not say whether it sells the new plans.',
  );
  expect((await readLive(kv, configSet)).manifest).toEqual({});
  braintree.isDown = false;
  for (let time = 0; time < 2; time += 1)
    expect((await send('/console/publish', fields, { headers })).status).toBe(303);
  expect((await readVersions(kv, configSet)).map(({ who }) => who)).toEqual([
    'you@localhost',
    'written by hand',
  ]);
  expect(calls.filter(({ method, path }) => method === 'POST' && path === '/plans')).toHaveLength(
    2,
  );
  expect(await unsoldNow()).toBeUndefined();
});

test('console publishing: what a provider does not sell is stored with the version until it sells it', async () => {
  const account = { permits: false };
  stubBraintree({
    before: ({ method, path }) =>
      !account.permits && `${method} ${path}` === 'POST /plans'
        ? new Response('', { status: 403 })
        : undefined,
  });
  const headers = await signIn();
  const sent = await send('/console/publish', (await reviewedClub(headers)).fields, { headers });
  const unsold = { braintree: ['club_usd', 'club_eur'] };
  expect(await unsoldNow()).toEqual(unsold);
  const page = await (await open(sent.headers.get('location') ?? '', { headers })).text();
  expect(page).toContain('Braintree does not sell club in USD, EUR.');
  // A change of the experiment neither asks nor forgets.
  await send('/console/publish', (await review(headers, { a: 40, b: 60 })).fields, { headers });
  expect(await unsoldNow()).toEqual(unsold);
  account.permits = true;
  const [live] = await readVersions(kv, configSet);
  const again = await send('/console/review', { version: live?.id ?? '' }, { headers });
  const html = await again.text();
  await send('/console/publish', withReason(html), { headers });
  expect(await unsoldNow()).toBeUndefined();
});
