import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import { builtInDocuments } from '../../../../worker/experiments/rules/config-documents.ts';
import { request } from '../../request.ts';
import { asRole, hiddenFields, open, send } from '../console-client.ts';

const key = 'screens.landing.one_pager.title';

beforeEach(async () => {
  for (const [name, text] of Object.entries(builtInDocuments)) await env.FUNNEL.put(name, text);
  await env.DB.exec('DELETE FROM config_publications');
});

const experiments = async () =>
  JSON.parse((await env.FUNNEL.get('experiments.json')) ?? '{}').experiments;

async function newForm() {
  const marketer = await asRole('marketer');
  const page = await (await open('/console/experiments/edit', marketer)).text();
  const typed = (more: string[][] = []) => [
    ['base', hiddenFields(page).base ?? ''],
    ...[
      ['id', ''],
      ['hypothesis', 'A headline with a promise sells more'],
    ],
    ...[
      ['countries', 'DE'],
      ['languages', 'de'],
      ['placements', 'instagram'],
    ],
    ...[
      ['metric', 'purchases'],
      ['key', 'control'],
      ['key', 'b'],
    ],
    ...[
      ['weight.0', '50'],
      ['weight.1', '50'],
    ],
    ...more,
  ];
  return { marketer, page, typed };
}

test('console experiments: a new one offers the headline of the first screen, and has defaults', async () => {
  const { page } = await newForm();
  expect(page).toContain(`name="text.1.de.${key}"`);
  expect(page).toContain('<option value="purchases" selected="">');
  expect(page).toMatch(/name="weight\.1" value="50"/);
});

test('console experiments: a headline for one group is reviewed, returned as a draft, published and listed', async () => {
  const { marketer, typed } = await newForm();
  const sent = typed([[`text.1.de.${key}`, 'Alles gut?']]);
  const review = await (await send('/console/experiments/review', sent, marketer)).text();
  expect(review).toContain(
    'Visitors in Germany who read German from ads on Instagram take part in “a-headline-with-a-promise”',
  );
  expect(review).toContain('New test: A headline with a promise sells more');
  const fields = hiddenFields(review);
  const back = await (await send('/console/experiments/draft', fields, marketer)).text();
  expect(back).toMatch(/<textarea name="text\.1\.de\.[^>]*>Alles gut\?</);
  const done = await send('/console/publish', { ...fields, reason: 'r' }, marketer);
  expect(done.headers.get('location')).toContain('experiment=a-headline-with-a-promise&published=');
  expect(await experiments()).toMatchObject([
    { id: 'a-headline-with-a-promise', variants: [{ weight: 50 }, { weight: 50 }] },
  ]);
  const list = await (await open('/console/experiments', marketer)).text();
  expect(list).toContain('?experiment=a-headline-with-a-promise"');
  const own = '/console/experiments?experiment=a-headline-with-a-promise';
  expect(await (await open(own, marketer)).text()).toContain('>running</span>');
  const preview = await open('/console/preview?experiment=a-headline-with-a-promise', marketer);
  const frames = [...(await preview.text()).matchAll(/<iframe src="([^"]+)"/g)];
  const shown = await Promise.all(
    frames.map(async ([, address]) => (await request(`https://funnel.example${address}`)).text()),
  );
  expect(shown.map((html) => html.includes('Alles gut?'))).toEqual([true, false]);
});

test.each([
  [
    'without a text in a language',
    [
      ['languages', 'fr'],
      [`text.1.de.${key}`, 'Alles gut?'],
    ],
    'It is missing in fr, which the targeting admits.',
  ],
  ['without a change', [], 'Change a text, flow, offer or theme.'],
  [
    'with an unknown placeholder',
    [[`text.1.de.${key}`, '{{who}}']],
    /<textarea[^>]*aria-invalid="true"[^>]*>\{\{who\}\}</,
  ],
  [
    'with an end in the past of its start',
    [
      ['starts', '2026-12-02T00:00'],
      ['ends', '2026-12-01T00:00'],
      [`text.1.de.${key}`, 'Alles gut?'],
    ],
    /aria-invalid="true" name="ends"/,
  ],
  [
    'from a network and a placement',
    [
      ['sources', 'google'],
      [`text.1.de.${key}`, 'Alles gut?'],
    ],
    'Tick networks or where ads stand, not both.',
  ],
])('console experiments: one %s is refused beside its field, and stays', async (_, more, text) => {
  const { marketer, typed } = await newForm();
  const response = await send('/console/experiments/review', typed(more), marketer);
  const html = await response.text();
  expect(response.status).toBe(422);
  expect(html).toMatch(text);
  expect(html).toContain('value="A headline with a promise sells more"');
  expect(await experiments()).toEqual([]);
});

test('console experiments: another screen’s texts are offered by their wording, and nothing typed is lost', async () => {
  const { marketer, typed } = await newForm();
  const more = [
    ['step', 'screen 1'],
    ['screen.1', 'signup'],
    [`text.1.de.${key}`, 'Alles gut?'],
  ];
  const html = await (await send('/console/experiments/edit', typed(more), marketer)).text();
  expect(html).toMatch(/<option value="screens\.signup\.title"[^>]*>Signup: /);
  expect(html).toContain('Alles gut?</textarea>');
});

test('console experiments: of two editors the second one is told what the first changed', async () => {
  const { marketer, typed } = await newForm();
  const texts = [[`text.1.de.${key}`, 'Alles gut?']];
  const publish = async (more: string[][]) => {
    const sent = typed([...more, ...texts]);
    const review = await (await send('/console/experiments/review', sent, marketer)).text();
    const fields = { ...hiddenFields(review), reason: 'r' };
    return { review, response: await send('/console/publish', fields, marketer) };
  };
  expect((await publish([])).response.status).toBe(303);
  const { review } = await publish([]);
  expect(review).toContain('published another version at');
  expect(review).toContain('experiment a-headline-with-a-promise-2: added');
});

test('console experiments: who may not publish may neither change nor review one', async () => {
  const viewer = await asRole('viewer');
  expect(await (await open('/console/experiments', viewer)).text()).not.toContain('New experiment');
  expect((await send('/console/experiments/review', { id: '' }, viewer)).status).toBe(403);
  expect((await open('/console/experiments/edit?id=unknown', viewer)).status).toBe(404);
});
