import { expect, test } from 'vitest';
import { articleOf, isArticleId } from '../../worker/articles.ts';
import { attributes, open, texts } from './page.ts';

const ids = ['terms', 'privacy', 'refunds', 'support', 'cookies', 'imprint'] as const;

test.each(ids)('/%s is a page of its own, with its title, outside the funnel', async (id) => {
  const { status, html } = await open(`/${id}`);
  expect(status).toBe(200);
  expect(texts(html, 'h1')).toEqual([(await articleOf('en', id)).title]);
  expect(attributes(html, 'main')).toMatchObject({
    'data-screen': id,
    'data-kind': 'ordinary',
    'data-entry': '',
  });
});

test('a page in a language that has none is English, and says so', async () => {
  const article = await articleOf('xx', 'terms');
  expect(article).toEqual(await articleOf('en', 'terms'));
  expect(article.language).toBe('en');
});

test.each(['Terms', 'constructor', 'one_pager', ''])('%s is no such page', (segment) => {
  expect(isArticleId(segment)).toBe(false);
});

test('an address elsewhere replaces ours in every footer', async () => {
  const elsewhere = 'https://example.com/refunds';
  const { html } = await open('/terms?theme=found', {}, { REFUNDS_URL: elsewhere });
  const addresses = [...html.matchAll(/ href="([^"]*refunds)"/g)].map(([, address]) => address);
  expect(new Set(addresses)).toEqual(new Set([elsewhere]));
});
