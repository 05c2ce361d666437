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
  const examples = [...html.matchAll(/<pre>([^<]+)</g)].map(([, text = '']) =>
    JSON.parse(`{${unescaped(text)}}`),
  );
  return { base: hiddenFields(html).base ?? '', examples };
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

test('console documents: the examples on the page make a coupon and an offer that can be published', async () => {
  const marketer = await asRole('marketer');
  const { base, examples } = await formFor(marketer);
  const [coupons, offers] = examples;
  const config = { ...builtIn, coupons, offers: { ...builtIn.offers, ...offers } };
  const typed = JSON.stringify(config, null, 2).replaceAll('\n', '\r\n');
  const page = await (await review(base, typed, marketer)).text();
  expect(page).toContain('WINTER20');
  const sent = hiddenFields(page);
  const fields = ['base', 'config', 'flows'].map((name) => [name, sent[name] ?? '']);
  expect(page).toContain('formAction="/console/documents"');
  const again = unescaped(await (await send('/console/documents', fields, marketer)).text());
  expect(again).toContain(`>${sent.config}</textarea>`);
  expect(hiddenFields(again).base).toBe(base);
  const form = [...fields, ['reason', 'winter']];
  expect((await send('/console/publish', form, marketer)).status).toBe(303);
  expect(JSON.parse((await env.FUNNEL.get('config.json')) ?? '')).toEqual(config);
  const shown = await (await open('/console/offers', marketer)).text();
  expect(shown).toContain('20% off the first charge');
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
    expect(await env.FUNNEL.get('config.json')).toBe(builtInDocuments['config.json']);
  },
);
