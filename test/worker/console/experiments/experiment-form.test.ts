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
    'Visitors in Germany who read German from ads on Instagram take part in “a-headline-with-a-promise-se”',
  );
  expect(review).toContain('name="reason" value="A headline with a promise sells more"');
  const fields = hiddenFields(review);
  const back = await (await send('/console/experiments/draft', fields, marketer)).text();
  expect(back).toMatch(/<textarea name="text\.1\.de\.[^>]*>Alles gut\?</);
  const done = await send('/console/publish', { ...fields, reason: 'r' }, marketer);
  expect(done.headers.get('location')).toContain(
    'experiment=a-headline-with-a-promise-se&published=',
  );
  expect(await experiments()).toMatchObject([
    { id: 'a-headline-with-a-promise-se', variants: [{ weight: 50 }, { weight: 50 }] },
  ]);
  const list = await (await open('/console/experiments', marketer)).text();
  expect(list).toContain('?experiment=a-headline-with-a-promise-se"');
  const own = '/console/experiments?experiment=a-headline-with-a-promise-se';
  expect(await (await open(own, marketer)).text()).toContain('>running</span>');
  const preview = await open('/console/preview?experiment=a-headline-with-a-promise-se', marketer);
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
    'Tick only these, or only networks.',
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
  expect(review).toContain('experiment a-headline-with-a-promise-se-2: added');
});

test('console experiments: who may not publish may neither change nor review one', async () => {
  const viewer = await asRole('viewer');
  expect(await (await open('/console/experiments', viewer)).text()).not.toContain('New experiment');
  expect((await send('/console/experiments/review', { id: '' }, viewer)).status).toBe(403);
  expect((await open('/console/experiments/edit?id=unknown', viewer)).status).toBe(404);
});

/** A running test, with the ids of its page's forms. */
async function running(changes: object) {
  const variants = [
    { key: 'control', weight: 50 },
    { key: 'b', weight: 50, changes },
  ];
  const one = { id: 'headline', hypothesis: 'H', metric: 'purchases', variants };
  const targeting = { languages: ['de'] };
  await env.FUNNEL.put(
    'experiments.json',
    JSON.stringify({ experiments: [{ ...one, targeting }] }),
  );
  const marketer = await asRole('marketer');
  const reviewed = async (fields: Record<string, string>) =>
    (
      await send('/console/review', { from: 'experiment', flow: 'headline', ...fields }, marketer)
    ).text();
  const published = async (review: string) =>
    send('/console/publish', { ...hiddenFields(review), reason: 'r', when: 'now' }, marketer);
  return { marketer, reviewed, published };
}

test('console experiments: rolling out a text publishes it for everybody and ends the test', async () => {
  const { marketer, reviewed, published } = await running({
    texts: { de: { [key]: 'Alles gut?' } },
  });
  const page = await (await open('/console/experiments?experiment=headline', marketer)).text();
  expect(page).toContain('Roll out the winner');
  const review = await reviewed({ winner: 'b', reach: 'everybody' });
  expect(review).toContain('Everybody who reads German will see: “Alles gut?”');
  expect(
    (await send('/console/schedule', { ...hiddenFields(review), reason: 'r' }, marketer)).status,
  ).toBe(422);
  expect((await published(review)).headers.get('location')).toContain('experiment=headline&');
  const [own] = await experiments();
  expect(own).toMatchObject({ winner: 'b', variants: [{}, {}] });
  const texts = await (await open(`/console/texts/edit?key=${key}`, marketer)).text();
  expect(texts).toContain('Alles gut?');
  const list = await (await open('/console/experiments', marketer)).text();
  expect(list).toMatch(/Past tests.*headline/s);
});

test('console experiments: texts that somebody else published meanwhile stop a roll-out, and nothing ends', async () => {
  const { marketer, reviewed, published } = await running({
    texts: { de: { [key]: 'Geht es ihnen gut?' } },
  });
  const review = await reviewed({ winner: 'b', reach: 'everybody' });
  const edit = await (await open(`/console/texts/edit?key=${key}`, marketer)).text();
  const change = { base: hiddenFields(edit).base ?? '', key, 'text.en': 'Other', reason: 'r' };
  expect((await send('/console/texts/publish', change, marketer)).status).toBe(303);
  const again = await published(review);
  expect(again.status).toBe(422);
  expect(await again.text()).toContain('Somebody published other texts meanwhile');
  expect((await experiments())[0].winner).toBeUndefined();
});

test('console experiments: a paused test continues', async () => {
  const { marketer, reviewed, published } = await running({ theme: 'found' });
  await published(await reviewed({ ends: 'now' }));
  expect(Date.parse((await experiments())[0].ends)).toBeLessThanOrEqual(Date.now());
  const page = await (await open('/console/experiments?experiment=headline', marketer)).text();
  expect(page).toContain('Continue the test');
  await published(await reviewed({ ends: 'never' }));
  expect((await experiments())[0].ends).toBeUndefined();
});

const run = (sql: string) => env.ANALYTICS.prepare(sql).run();

/** Visitors and buyers of yesterday, from Meta in Germany and elsewhere. */
async function countVisits() {
  for (const table of ['slices', 'days', 'hours', 'totals', 'payments'])
    await run(`DELETE FROM ${table}`);
  const hour = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 3_600_000;
  const groups = [
    ['DE', 'de', 'meta', 1000, 40],
    ['DE', 'de', 'google', 500, 20],
    ['FR', 'fr', 'meta', 700, 30],
  ] as const;
  for (const [id, [country, language, source, visits, sales]] of groups.entries()) {
    await run(
      `INSERT INTO slices VALUES (${id}, 'default', 'e', 'a', '${country}', '${language}', 'ios', '${source}', 'one_pager')`,
    );
    await run(`INSERT INTO hours VALUES (${hour}, 'exposure', '', 0, ${id}, ${visits}, ${visits})`);
    await run(
      `INSERT INTO payments VALUES (${hour}, 'purchase', 'stripe', 'main', 'p', 'USD', '', ${id}, ${sales}, 0, 0)`,
    );
  }
}

test('console experiments: form and review say how many visitors the targeted group has, and what is not counted', async () => {
  await countVisits();
  const { marketer, typed } = await newForm();
  const sent = typed([[`text.1.de.${key}`, 'Alles gut?']]);
  const estimate = [...sent, ['step', 'estimate']];
  const form = await (await send('/console/experiments/edit', estimate, marketer)).text();
  expect(form).toContain(
    'New in the last 14 days: 1,000 visitors in Germany who read German from ads on Meta, 1,000 a day.',
  );
  expect(form).toContain('Not counted by themselves: Instagram.');
  expect(form).toMatch(/A difference of 10% in purchases per visitor, now 4%: [\d,]+ visitors/);
  expect(form).toContain('>Alles gut?<');
  const review = await send('/console/experiments/review', sent, marketer);
  expect(await review.text()).toContain('A difference of 10% in purchases per visitor, now 4%:');
  const elsewhere = estimate.filter(([name]) => name !== 'countries');
  const japan = [...elsewhere, ['countries', 'JP']];
  const rare = await (await send('/console/experiments/edit', japan, marketer)).text();
  expect(rare).toContain('Not enough traffic yet to say how long the test takes.');
});
