import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import { textSet } from '../../../../worker/console/publishing/live-texts.ts';
import { namespaceKv } from '../../../../worker/documents/kv.ts';
import { fingerprintOf, readLive } from '../../../../worker/documents/live-documents.ts';
import { asRole, open, send } from '../console-client.ts';

beforeEach(async () => {
  for (const { name } of (await env.FUNNEL.list()).keys) await env.FUNNEL.delete(name);
  await env.DB.exec('DELETE FROM config_publications');
});
type Visit = Awaited<ReturnType<typeof asRole>>;
const read = async (path: string, visit: Visit) => (await open(path, visit)).text();
const unescaped = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#x27;', "'");
const hidden = (html: string): [string, string][] =>
  [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, unescaped(value)],
  );
const live = () => readLive(namespaceKv(env.FUNNEL), textSet);
const content = async () => JSON.parse((await live()).documents['content.json'] ?? '{}');

/** Fills in a form and publishes the change from its review. */
async function publish(visit: Visit, path: string, fields: [string, string][]) {
  const form = await read(path, visit);
  const names = fields.map(([name]) => name);
  const kept = hidden(form).filter(([name]) => !names.includes(name));
  const review = await (await send('/console/texts/review', [...kept, ...fields], visit)).text();
  const sent = await send('/console/texts/publish', [...hidden(review), ['reason', 'new']], visit);
  expect(sent.status).toBe(303);
  return review;
}

test('console claims: a claim is added, edited and rolled back, with its differences', async () => {
  const marketer = await asRole('marketer');
  const added = await publish(marketer, '/console/claims/edit?kind=claims', [
    ['source', 'Report 2026'],
    ['text.en', '10 million people'],
    ['text.de', '10 Millionen Menschen'],
  ]);
  expect(added).toContain(
    'content.json claims en (Report 2026): none → &quot;10 million people&quot;',
  );
  const list = await read('/console/claims', marketer);
  const [, address = ''] =
    /href="(\/console\/claims\/edit\?kind=claims&amp;source[^"]*)"/.exec(list) ?? [];
  await publish(marketer, unescaped(address), [
    ['source', 'Report 2026'],
    ['text.en', '11 million people'],
    ['text.de', '10 Millionen Menschen'],
  ]);
  expect((await content()).claims[0]).toMatchObject([
    { text: '11 million people', language: 'en' },
    { text: '10 Millionen Menschen', language: 'de', english: '10 million people' },
  ]);
  expect(await read('/console/claims', marketer)).toContain('outdated: de');
  const back = await (
    await send('/console/texts/review', [['version', 'built-in']], marketer)
  ).text();
  expect(back).toContain('claims en (Report 2026): &quot;11 million people&quot; → none');
});

test('console claims: a claim without a source is not published, and its field shows the reason', async () => {
  const marketer = await asRole('marketer');
  const fields = [
    ['claim', 'reviews'],
    ['base', fingerprintOf({})],
    ['source', ' '],
    ['name', '<b>Uwe</b>'],
    ['text.en', 'Good'],
  ];
  for (const path of ['review', 'publish', 'schedule']) {
    const response = await send(`/console/texts/${path}`, fields, marketer);
    const html = await response.text();
    expect([path, response.status]).toEqual([path, 422]);
    expect(html).toContain('Enter where it can be verified. Pages show this source.');
    expect(html).not.toContain('<b>Uwe');
  }
  expect((await live()).version).toBeNull();
});

test('console claims: an eleventh claim in a language is refused with an explanation', async () => {
  const marketer = await asRole('marketer');
  const claim = { source: 's', language: 'en' };
  const claims = [Array.from({ length: 10 }, (_, at) => ({ ...claim, text: `${at}` }))];
  await env.FUNNEL.put('content/5/content', JSON.stringify({ claims }));
  await env.FUNNEL.put('content/manifest', '{"timestamp":5,"files":["content"]}');
  const fields = [
    ['claim', 'claims'],
    ['base', (await live()).fingerprint],
    ['source', 'new'],
    ['text.en', 'One more'],
  ];
  const response = await send('/console/texts/review', fields, marketer);
  expect(response.status).toBe(422);
  expect(await response.text()).toContain('over 10 claims in one language');
});

test('console claims: a viewer can read claims', async () => {
  const viewer = await asRole('viewer');
  expect(await read('/console/claims', viewer)).not.toContain('New claim');
  expect(await read('/console/claims/edit?kind=reviews', viewer)).toContain('disabled');
  expect((await open('/console/claims/edit?kind=claims&source=none', viewer)).status).toBe(404);
});
