import { expect, it } from 'vitest';
import pages from '../../locales/en/pages.json' with { type: 'json' };
import { Article } from '../../screens/article.tsx';
import type { ArticleId } from '../../worker/content/page-content.ts';
import { htmlOf, page, props, wordsOf } from './page-fixture.tsx';

const { changed, ...articles } = pages;
const company = {
  company: 'Lighthouse Ltd',
  address: '1 Shore Road, Dover',
  representative: 'Grace Hall',
  register: 'No. 123',
  vat: 'GB 123',
  email: 'help@example.com',
  law: 'England',
};

const drawn = (id: ArticleId) =>
  htmlOf(
    <Article
      page={{ ...page, screen: id }}
      t={props.t}
      article={{ ...articles[id], changed, language: 'en' }}
      company={company}
    />,
  );

it.each(Object.keys(articles) as ArticleId[])('article: %s has its facts and links', (id) => {
  const html = drawn(id);
  expect(wordsOf(html)).not.toMatch(/\{\{|\]\(|\[/);
  expect(html.includes('Last changed on November 29, 2026')).toBe(id !== 'support');
});

it('article: links every mention of support', () => {
  expect(drawn('support')).toContain('<a href="mailto:help@example.com">help@example.com</a>');
  expect(drawn('terms')).toContain('<a href="/cancel">this page</a>');
});

it('article: support begins with the contact address', () => {
  const first = /<article.*?<details/.exec(drawn('support'))?.[0];
  expect(first).toMatch(/<a class="button[^"]*" href="mailto:help@example.com">/);
  expect(wordsOf(first ?? '')).toMatch(/within two working days\. help@example\.com/);
});

it('article: states the rights by law and the product’s promises', () => {
  expect(wordsOf(drawn('refunds'))).toMatch(/not agreed within 14 days.*get back everything/);
  expect(wordsOf(drawn('terms'))).toMatch(/cancel online, in two clicks/);
  expect(wordsOf(drawn('privacy'))).toMatch(/keeps the number for 24 hours/);
});
