import { expect, it } from 'vitest';
import GuideReader, { GuideSections } from '../../islands/guide-reader.tsx';
import guide from '../../locales/en/guide.json' with { type: 'json' };
import { htmlOf, text, wordsOf } from './html.tsx';

it('guide: its text is absent until the account is known', () => {
  const html = htmlOf(<GuideReader text={text['guide-reader']} hint="" signs={[]} />);
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
