import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import { builtInDocuments } from '../../../../worker/experiments/rules/config-documents.ts';
import { builtInFlows } from '../../../../worker/experiments/rules/flows.ts';
import { asRole, hiddenFields, open, send } from '../console-client.ts';

beforeEach(async () => {
  for (const [key, text] of Object.entries(builtInDocuments)) await env.FUNNEL.put(key, text);
  await env.DB.exec('DELETE FROM config_publications');
});
const screensIn = (html: string) =>
  [...html.matchAll(/name="screen" value="([^"]+)"/g)].map(([, id = '']) => id);
const fieldsOf = (html: string) => [
  ['base', hiddenFields(html).base ?? ''],
  ['name', 'default'],
  ...screensIn(html).map((id) => ['screen', id]),
];

test('console flows: a screen is moved with buttons, and the new order is published', async () => {
  const marketer = await asRole('marketer');
  expect(await (await open('/console/flows', marketer)).text()).toContain('fullPrice');
  const form = await (await open('/console/flows/edit?name=default', marketer)).text();
  const step = [...fieldsOf(form), ['step', 'add'], ['added', 'questions']];
  const added = await (await send('/console/flows/edit', step, marketer)).text();
  expect(added).toContain('Questions was added after Landing page.');
  const at = screensIn(added).indexOf('questions');
  expect(at).toBe(1);
  const up = [...fieldsOf(added), ['step', `up ${at}`]];
  const moved = await (await send('/console/flows/edit', up, marketer)).text();
  expect(screensIn(moved).indexOf('questions')).toBe(at - 1);
  const review = await (await send('/console/flows/review', fieldsOf(moved), marketer)).text();
  expect(review).toContain('flow default: screens');
  const { base = '', config = '', flows = '' } = hiddenFields(review);
  const fields = [
    ['base', base],
    ['config', config],
    ['flows', flows],
    ['reason', 'a test'],
  ];
  expect((await send('/console/publish', fields, marketer)).status).toBe(303);
  const live = JSON.parse((await env.FUNNEL.get('flows.json')) ?? '{}');
  expect(live.flows.default).toEqual(screensIn(moved));
});

test('console flows: Back in a review returns to the draft of the flow or of the aliases', async () => {
  const marketer = await asRole('marketer');
  const { base = '' } = hiddenFields(await (await open('/console/flows', marketer)).text());
  const back = async (path: string, fields: string[][]) => {
    const review = await (await send(path, [['base', base], ...fields], marketer)).text();
    expect(review).toContain('formAction="/console/flows/draft"');
    const preview = await send('/console/preview', hiddenFields(review), marketer);
    const again = await send('/console/review', hiddenFields(await preview.text()), marketer);
    const sent = hiddenFields(await again.text());
    return (await send('/console/flows/draft', sent, marketer)).text();
  };
  const screens = ['one_pager', 'success'];
  const flow = [['name', 'default'], ...screens.map((id) => ['screen', id])];
  const edited = await back('/console/flows/review', flow);
  expect(edited).toContain('<h1>Flow default</h1>');
  expect(screensIn(edited)).toEqual(screens);
  const aliases = await back('/console/flows/aliases', [
    ['alias', 'spring-offer'],
    ['screen', 'one_pager'],
  ]);
  expect(aliases).toContain('value="spring-offer"');
});

test.each([
  [[['screen', 'nowhere']], 'no such screen'],
  [
    [
      ['screen', 'success'],
      ['screen', 'success'],
    ],
    'names a screen twice',
  ],
  [[], 'flows.default'],
])('console flows: the screens %j are refused', async (screens, words) => {
  const response = await send(
    '/console/flows/review',
    [['name', 'default'], ...screens],
    await asRole('marketer'),
  );
  expect(response.status).toBe(422);
  expect(await response.text()).toContain(words);
});

test('console flows: an alias is added, and an invalid one is reported', async () => {
  const marketer = await asRole('marketer');
  const { base = '' } = hiddenFields(await (await open('/console/flows', marketer)).text());
  const review = (alias: string) =>
    send(
      '/console/flows/aliases',
      [
        ['base', base],
        ['alias', alias],
        ['screen', 'one_pager'],
        ['alias', ''],
        ['screen', 'one_pager'],
      ],
      marketer,
    );
  const wrong = await review('a b');
  expect([wrong.status, (await wrong.text()).includes('value="a b"')]).toEqual([422, true]);
  const html = await (await review('/spring-offer')).text();
  expect(html).toContain('spring-offer');
  const fields = [...Object.entries(hiddenFields(html)), ['reason', 'spring']];
  const published = await send('/console/publish', fields, marketer);
  expect(published.status).toBe(303);
  expect(JSON.parse((await env.FUNNEL.get('flows.json')) ?? '{}').aliases).toEqual({
    'spring-offer': 'one_pager',
  });
});

test('console flows: a new flow begins as a copy of another one, or empty', async () => {
  const marketer = await asRole('marketer');
  const begun = async (query: string) =>
    screensIn(await (await open(`/console/flows/edit?${query}`, marketer)).text());
  expect(await begun('name=mine&copy=lp17ch17pr5')).toEqual(builtInFlows.lp17ch17pr5);
  expect(await begun('name=lp11ch8&copy=lp17ch17pr5')).toEqual(builtInFlows.lp11ch8);
  expect(await begun('name=mine&copy=')).toEqual([]);
  expect(await (await open('/console/flows', marketer)).text()).toMatch(
    /name="copy"><option value="">nothing<\/option>.*<option value="default" selected="">default</,
  );
});

test('console flows: a variant without visitors shows its share, and causes no notice', async () => {
  const config = JSON.parse(builtInDocuments['config.json']);
  const variants = [
    { key: 'fullPrice', weight: 100, flow: 'default' },
    { key: 'intro/7d', weight: 0, flow: 'lp11ch8' },
  ];
  await env.FUNNEL.put('config.json', JSON.stringify({ ...config, variants }));
  const html = await (await open('/console/flows', await asRole('viewer'))).text();
  expect(html).toContain('intro/7d (0%)');
  expect(html).not.toContain('class="notice');
});

test('console flows: a forbidden name is refused, and a viewer can read flows', async () => {
  const marketer = await asRole('marketer');
  expect((await open('/console/flows/edit?name=%3Cb%3E', marketer)).status).toBe(400);
  const viewer = await asRole('viewer');
  expect((await open('/console/flows/edit?name=default', viewer)).status).toBe(200);
});

test('console offers: a plan that no screen of the variant’s flow sells is marked', async () => {
  const notes = async () => {
    const html = await (await open('/console/offers', await asRole('viewer'))).text();
    const parts = html.split('<h3>').filter((part) => part.startsWith('Not sold'));
    return parts.flatMap((part) =>
      [...part.matchAll(/<small>(\w+)<\/small><\/dt>/g)].map(([, id]) => id),
    );
  };
  expect(new Set(await notes())).toEqual(new Set(['guide_1799']));
  const config = JSON.parse(builtInDocuments['config.json']);
  const variants = [{ key: 'fullPrice', weight: 100, flow: 'guided' }];
  await env.FUNNEL.put('config.json', JSON.stringify({ ...config, variants }));
  const guided = builtInFlows.default?.with(4, 'upsell_guide');
  await env.FUNNEL.put('flows.json', JSON.stringify({ flows: { guided }, aliases: {} }));
  expect(await notes()).toEqual(['upsell_monthly_999']);
});

test('console offers: coupons show their terms and number of redemptions', async () => {
  const config = JSON.parse(builtInDocuments['config.json']);
  const coupons = {
    SPRING: { percent: 20, plans: ['monthly'], until: '2027-04-30', max_redemptions: 100 },
  };
  await env.FUNNEL.put('config.json', JSON.stringify({ ...config, coupons }));
  const attempt = env.DB.prepare(
    `INSERT INTO attempts (id, account_id, slot, plan, gateway, amount, coupon, arm, state, opened_at, version)
     VALUES (?, 'a', 'main', 'monthly_usd', 'stripe', 1, 'SPRING', '', ?, 1, 1)`,
  );
  await env.DB.batch([attempt.bind('one', 'active'), attempt.bind('two', 'declined')]);
  const html = await (await open('/console/offers', await asRole('viewer'))).text();
  const row = html
    .slice(html.indexOf('<th scope="row">SPRING</th>'))
    .split('</tr>')[0]
    ?.replace(/<[^>]*>/g, '|');
  expect(row).toContain(
    '20% off the first payment; for Monthly plan ($39.99); until 2027-04-30; at most 100 redemptions',
  );
  expect(row).toMatch(/\|2\|+1\|/);
  const buyers = await (await open('/console/offers', await asRole('operator'))).text();
  expect(buyers).toContain('Show buyers');
  expect(hiddenFields(buyers).text).toBe('SPRING');
  // A plan is displayed with the name that a coupon in the document needs.
  expect(html).toContain('<small>monthly</small>');
});
