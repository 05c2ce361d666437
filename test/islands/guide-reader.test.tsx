import { expect, it, vi } from 'vitest';
import GuideReader, { GuideSections } from '../../islands/guide-reader.tsx';
import guide from '../../locales/en/guide.json' with { type: 'json' };
import { fakeBrowser } from './browser.ts';
import { htmlOf, text, wordsOf } from './render-html.tsx';

it('guide: the text is absent until the account is known', () => {
  const html = htmlOf(
    <GuideReader
      text={text['guide-reader']}
      hint=""
      signs={[]}
      price="$17.99"
      benefit=""
      once="One-time payment"
      topics={[]}
    />,
  );
  expect(wordsOf(html)).toBe('Opening your guide');
});

const shown = htmlOf(<GuideSections guide={guide} signs={[]} text={text['guide-reader']} />);
const words = wordsOf(shown);

it('guide: covers phones, school runs, travel and emergencies in 900 to 1,200 words', () => {
  const titles = guide.sections.map(({ title }) => title);
  expect(titles.slice(0, 4)).toEqual(['Phones', 'School runs', 'Travel', 'Emergencies']);
  const count = words.split(/\s+/).length;
  expect([count >= 900, count <= 1200]).toEqual([true, true]);
});

it('guide: never suggests watching somebody in secret', () => {
  expect(words).not.toMatch(/!|\b(track|spy|secret|catch)/i);
});

it('guide: starts with linked contents', () => {
  const led = [...shown.matchAll(/href="#(part-\d)">.*?<span[^>]*>([^<]+)</g)].map(
    ([, id, title]) => [id, title],
  );
  const parts = [...shown.matchAll(/<section[^>]*id="(part-\d)">.*?<h2[^>]*>([^<]+)</g)];
  expect(led).toEqual(parts.map(([, id, title]) => [id, title]));
  expect(led).toHaveLength(guide.sections.length);
});

async function load(token: string, status: number, body: unknown) {
  vi.resetModules();
  fakeBrowser({ session: new Map(token ? [['access_token', token]] : []) });
  vi.stubGlobal('fetch', async () => Response.json(body, { status }));
  const { loadGuide } = await import('../../islands/guide-reader.tsx');
  return loadGuide();
}

const refused = (code: string) => ({ errors: { code, messages: ['no'] } });

it.each([
  ['t', 200, { data: { lead: 'Read' } }, { kind: 'guide', guide: { lead: 'Read' } }],
  ['', 200, { data: { lead: 'Read' } }, { kind: 'signed_out' }],
  ['t', 401, refused('unauthorized'), { kind: 'signed_out' }],
  ['t', 403, refused('guide_not_owned'), { kind: 'missing' }],
  ['t', 500, refused('unexpected'), { kind: 'failed' }],
])('guide: with the token %j the response %s gives %j', async (token, status, body, found) => {
  expect(await load(token, status, body)).toEqual(found);
});
