import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import pages from '../../locales/en/pages.json' with { type: 'json' };
import { Article } from '../../screens/article.tsx';
import { earlyEndsIn } from '../../worker/catalog/early-end-countries.ts';
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
  early_end: earlyEndsIn('en'),
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
  expect(html.includes('Last changed on November 30, 2026')).toBe(id !== 'support');
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

it('article: an early end of a renewed period is said of the countries that have it, and of no other', () => {
  const refunds = wordsOf(drawn('refunds'));
  expect(refunds).toContain(
    'with this notice: Belgium: 1 month, Germany: 1 month, France: 0 days, Netherlands: 1 month. Choose it on',
  );
  expect(drawn('terms')).toContain('end a renewed period earlier: see <a href="/refunds">');
  for (const file of globSync('locales/*/pages.json')) {
    const { terms, refunds: own } = JSON.parse(readFileSync(file, 'utf8')) as typeof pages;
    const told = JSON.stringify(own.sections.at(-1));
    expect([file, told.split('{{early_end}}').length, told.includes('](cancel)')]).toEqual([
      ...[file, 2, true],
    ]);
    expect(JSON.stringify(terms.sections[6])).toContain(`[${own.title}](refunds)`);
  }
});

it('article: states the rights by law and the product’s promises', () => {
  expect(wordsOf(drawn('refunds'))).toMatch(/not agreed within 14 days.*get back everything/);
  expect(wordsOf(drawn('terms'))).toMatch(/cancel online, in two clicks/);
  expect(wordsOf(drawn('privacy'))).toMatch(/keeps the number for 24 hours/);
});
