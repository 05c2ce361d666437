import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import { builtInDocuments } from '../../../../worker/experiments/rules/config-documents.ts';
import { asRole, hiddenFields, open, send } from '../console-client.ts';

beforeEach(async () => {
  for (const [key, text] of Object.entries(builtInDocuments)) await env.FUNNEL.put(key, text);
  await env.DB.exec('DELETE FROM config_publications');
});

const sold = { upsell: 'upsell_monthly_999', guide: 'guide_1799' };

async function offerForm() {
  const marketer = await asRole('marketer');
  const shown = await (await open('/console/offers', marketer)).text();
  const sent = (fields: string[][]) =>
    send(
      '/console/offers/sells',
      [['base', hiddenFields(shown).base ?? ''], ['key', 'fullPrice'], ...fields],
      marketer,
    );
  const plans = (...all: string[]) => [
    ...all.map((one) => ['plans', one]),
    ...Object.entries(sold),
  ];
  return { marketer, sent, plans };
}

test('console offers: an offer is changed by its form, returned as a draft and published', async () => {
  const { marketer, sent, plans } = await offerForm();
  const page = await (
    await sent([...plans('quarterly', '', 'monthly_7d'), ['preselect', 'monthly_7d']])
  ).text();
  expect(page).toContain('formAction="/console/offers"');
  const fields = hiddenFields(page);
  const again = await (await send('/console/offers', fields, marketer)).text();
  expect(again).toMatch(
    /<details open="" id="offer-fullPrice">.*<option value="monthly_7d" selected="">/s,
  );
  expect((await send('/console/publish', { ...fields, reason: 'r' }, marketer)).status).toBe(303);
  const { offers } = JSON.parse((await env.FUNNEL.get('config.json')) ?? '');
  expect(offers.fullPrice).toEqual({
    ...sold,
    plans: ['quarterly', 'monthly_7d'],
    preselect: 'monthly_7d',
  });
});

test.each([
  ['without a plan', [], [], /Plans on the checkout.*<span class="problem-text">/s],
  ['with a plan twice', ['monthly', 'monthly'], [], 'names a plan twice'],
  [
    'with another plan selected',
    ['monthly'],
    [['preselect', 'quarterly']],
    'without the plan that is preselected or marked',
  ],
  [
    'with an unknown plan',
    ['yearly'],
    [],
    /<option value="yearly" selected="">.*not one of monthly/s,
  ],
])(
  'console offers: an offer %s is refused beside its field, and stays in its form',
  async (_, all, more, text) => {
    const { sent, plans } = await offerForm();
    const response = await sent([...plans(...all), ...more]);
    expect([response.status, await response.text()]).toEqual([422, expect.stringMatching(text)]);
    expect(await env.FUNNEL.get('config.json')).toBe(builtInDocuments['config.json']);
  },
);

test('console offers: who may not publish gets no form', async () => {
  const viewer = await asRole('viewer');
  expect(await (await open('/console/offers', viewer)).text()).not.toContain('What it sells');
  expect((await send('/console/offers/sells', { key: 'fullPrice' }, viewer)).status).toBe(403);
});
