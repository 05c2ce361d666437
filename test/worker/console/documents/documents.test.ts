import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import { builtInDocuments } from '../../../../worker/experiments/rules/config-documents.ts';
import { asRole, hiddenFields, open, send, type Visit } from '../console-client.ts';

beforeEach(async () => {
  for (const [key, text] of Object.entries(builtInDocuments)) await env.FUNNEL.put(key, text);
  await env.DB.exec('DELETE FROM config_publications');
});

const builtIn = JSON.parse(builtInDocuments['config.json']);
const unescaped = (html: string) => html.replaceAll('&quot;', '"');

async function formFor(person: Visit) {
  const html = await (await open('/console/documents', person)).text();
  return { base: hiddenFields(html).base ?? '' };
}

const review = (base: string, config: string, person: Visit) =>
  send(
    '/console/documents/review',
    [
      ['base', base],
      ['config', config],
      ['flows', builtInDocuments['flows.json']],
    ],
    person,
  );

const coupon = {
  ...{ code: 'winter20', kind: 'percent', value: '20', scope: 'all' },
  ...{ until: '2026-12-31', most: '' },
};
const terms = { percent: 20, plans: ['quarterly'], until: '2026-12-31' };

/** Publishes a review. @returns the live `config.json` */
async function published(page: string, person: Visit) {
  const sent = hiddenFields(page);
  const fields = ['base', 'config', 'flows'].map((name) => [name, sent[name] ?? '']);
  expect((await send('/console/publish', [...fields, ['reason', 'r']], person)).status).toBe(303);
  return JSON.parse((await env.FUNNEL.get('config.json')) ?? '');
}

test('console offers: a coupon is added by its form, returned as a draft, renamed and removed', async () => {
  const marketer = await asRole('marketer');
  const { base } = await formFor(marketer);
  const form = { base, ...coupon, scope: 'some', plans: 'quarterly' };
  const page = await (await send('/console/offers/coupon', form, marketer)).text();
  expect(page).toContain('WINTER20');
  expect(page).toContain('formAction="/console/offers"');
  const again = await (await send('/console/offers', hiddenFields(page), marketer)).text();
  expect(again).toMatch(/<summary>Coupon WINTER20<\/summary>.*value="2026-12-31"/s);
  expect(hiddenFields(again).base).toBe(base);
  expect((await published(page, marketer)).coupons).toEqual({ WINTER20: terms });
  const shown = await (await open('/console/offers?coupon=WINTER20', marketer)).text();
  expect(shown).toContain('20% off the first payment');
  expect(shown).toContain('<summary>Coupon WINTER20</summary>');
  const next = hiddenFields(shown).base ?? '';
  const less = { ...form, base: next, kind: 'amount', value: '5.50', plans: 'monthly', most: '9' };
  const twice = await (await send('/console/offers/coupon', less, marketer)).text();
  expect(twice).toContain('The coupon WINTER20 exists already.');
  const other = { ...less, code: 'spring', was: 'WINTER20' };
  const renamed = await (await send('/console/offers/coupon', other, marketer)).text();
  const draft = await (await send('/console/offers', hiddenFields(renamed), marketer)).text();
  expect(hiddenFields(draft).was).toBe('WINTER20');
  expect((await published(renamed, marketer)).coupons).toEqual({
    SPRING: { amount: 550, plans: ['monthly'], until: '2026-12-31', max_redemptions: 9 },
  });
  const last = { base: (await formFor(marketer)).base, code: 'SPRING', remove: 'true' };
  const removed = await (await send('/console/offers/coupon', last, marketer)).text();
  expect((await published(removed, marketer)).coupons).toEqual({});
});

test('console offers: a coupon has as many single-use codes as its form says, in a CSV with links', async () => {
  const marketer = await asRole('marketer');
  const form = { ...(await formFor(marketer)), ...coupon, codes: '3' };
  const page = await (await send('/console/offers/coupon', form, marketer)).text();
  const { codes } = (await published(page, marketer)).coupons.WINTER20;
  expect(codes).toEqual({ count: 3, seed: expect.stringMatching(/^[\da-f]{32}$/) });
  const csv = '/console/offers/codes.csv?coupon=WINTER20';
  const read = async () => (await (await open(csv, marketer)).text()).trim().split('\r\n');
  const [title, ...lines] = await read();
  expect([title, lines.length]).toEqual(['"code","link","redeemed"', 3]);
  const [, first = ''] =
    /^"(WINTER20\.[\dA-Z]{12})","https:\/\/[^"]*\/\?coupon=\1",""$/.exec(lines[0] ?? '') ?? [];
  await env.DB.prepare('INSERT INTO coupon_redemptions VALUES (?, ?, 0)').bind(first, 'a').run();
  expect((await read())[1]).toContain('"1970-01-01T00:00:00.000Z"');
  const offers = await (await open('/console/offers?coupon=WINTER20', marketer)).text();
  expect(offers).toContain('3 codes of one redemption each');
  const { base = '' } = hiddenFields(offers);
  const more = { ...form, base, was: 'WINTER20', codes: '5' };
  const next = await (await send('/console/offers/coupon', more, marketer)).text();
  expect((await published(next, marketer)).coupons.WINTER20.codes).toEqual({ ...codes, count: 5 });
  expect((await open(csv, await asRole('viewer'))).status).toBe(403);
  expect((await open('/console/offers/codes.csv?coupon=NONE', marketer)).status).toBe(404);
});

test('console offers: a coupon for all plans lists none, one for some needs one', async () => {
  const marketer = await asRole('marketer');
  const form = { ...(await formFor(marketer)), ...coupon };
  const sent = async (scope: string) =>
    (await send('/console/offers/coupon', { ...form, scope }, marketer)).text();
  const { config = '{}' } = hiddenFields(await sent('all'));
  expect(JSON.parse(config).coupons.WINTER20).toEqual({ percent: 20, until: '2026-12-31' });
  expect(await sent('some')).toContain('<li>plans: choose at least one plan</li>');
});

test('console offers: a coupon without a number is refused, and stays in its form', async () => {
  const marketer = await asRole('marketer');
  const form = { ...(await formFor(marketer)), ...coupon, value: 'half' };
  const response = await send('/console/offers/coupon', form, marketer);
  const html = await response.text();
  expect([response.status, html]).toEqual([422, expect.stringContaining('<li>percent: ')]);
  expect(html).toContain('value="half"');
});

test('console documents: a draft returns from its review as it was typed', async () => {
  const marketer = await asRole('marketer');
  const { base } = await formFor(marketer);
  const config = { ...builtIn, coupons: { WINTER20: terms } };
  const typed = JSON.stringify(config, null, 2).replaceAll('\n', '\r\n');
  const page = await (await review(base, typed, marketer)).text();
  expect(page).toContain('formAction="/console/documents"');
  const again = await (await send('/console/documents', hiddenFields(page), marketer)).text();
  expect(unescaped(again)).toContain(`>${JSON.stringify(config, null, 2)}</textarea>`);
  expect(hiddenFields(again).base).toBe(base);
  expect(await published(page, marketer)).toEqual(config);
});

test.each([
  ['half a document', '{', 'config.json'],
  [
    'a coupon of an unknown plan',
    JSON.stringify({ ...builtIn, coupons: { X1: { percent: 20, plans: ['monthly_usd'] } } }),
    'config.json line 1, coupons.X1.plans.0: not one of monthly, quarterly,',
  ],
])(
  'console documents: %s is refused with an error at its field, and the input stays in the form',
  async (_, config, field) => {
    const marketer = await asRole('marketer');
    const { base } = await formFor(marketer);
    const response = await review(base, config, marketer);
    expect(response.status).toBe(422);
    const html = unescaped(await response.text());
    expect(html).toContain(field);
    expect(html).toContain(`>${config}</textarea>`);
    // The line is marked.
    expect(html).toContain('<li id="config-1" class="wrong"></li>');
    expect(await env.FUNNEL.get('config.json')).toBe(builtInDocuments['config.json']);
  },
);
