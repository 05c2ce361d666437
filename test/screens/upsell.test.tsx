import type { ReactElement } from 'react';
import { expect, it } from 'vitest';
import { Upsell } from '../../screens/upsell.tsx';
import { planOf, viewOf } from '../../worker/funnel/plans.ts';
import { renewals } from '../renewals.ts';
import { htmlOf, page, props, wordsOf } from './page.tsx';

const guide = <Upsell {...props} offer="guide" plan={page.guide} />;

it('sells the guide for one payment', () => {
  const words = wordsOf(htmlOf(guide));
  expect(words).toContain('One payment');
  expect(words).toContain('Add for $17.99');
  expect(words).not.toMatch(/every month|Cancel any time/);
});

it('strikes the list price, where the page may show one', () => {
  expect(htmlOf(guide)).toMatch(/<s [^>]*>.*\$37\.99/);
  const plan = { ...page.guide, listPrice: null };
  const bare = htmlOf(<Upsell {...props} offer="guide" plan={plan} />);
  expect(bare).not.toMatch(/<s |37\.99/);
  expect(wordsOf(bare)).toContain('One payment');
});

it.each([
  ['upsell_monthly_999', 'Anonymous mode and private chat.'],
  ['upsell_monthly_799', 'Anonymous mode and private chat, 20% off today.'],
  ['upsell_quarterly_599', 'Anonymous mode and private chat, 40% off today.'],
] as const)('%s claims what the catalogue bears out: %s', (family, lead) => {
  const plan = viewOf(planOf(family, 'USD'), renewals);
  const words = wordsOf(htmlOf(<Upsell {...props} offer="an_private" plan={plan} />));
  expect(words).toContain(lead);
});

it('claims no discount where no list price may be shown', () => {
  const plan = { ...page.upsell, listPrice: null };
  const html = htmlOf(<Upsell {...props} offer="an_private" plan={plan} />);
  expect(html).not.toMatch(/<s |\d\s?% off/);
});

it('shows its heading before its picture, and beside it the scene of what it sells', () => {
  const html = htmlOf(<Upsell {...props} offer="an_private" plan={page.upsell} />);
  expect(html.indexOf('<h1')).toBeLessThan(html.indexOf('<svg class="_vignette'));
  expect(html).toContain('data-scene="chat"');
  expect(htmlOf(guide)).toContain('data-scene="guide"');
});

it('says what a subscription costs from now on, and how it ends', () => {
  const words = wordsOf(htmlOf(<Upsell {...props} offer="an_private" plan={page.upsell} />));
  expect(words).toContain('$7.99 today, then $7.99 every month. Cancel any time');
});

it('leads back to the guide who was sent here from it, and everybody else along their flow', () => {
  const refusalOf = (screen: ReactElement) =>
    htmlOf(screen).match(/"next":"([^"]+)"|&quot;next&quot;:&quot;([^&]+)&quot;/)?.[2];
  const outside = { ...props, page: { ...page, next: page.first } };
  expect(refusalOf(<Upsell {...outside} offer="guide" plan={page.guide} />)).toBe('/guide');
  expect(refusalOf(<Upsell {...outside} offer="an_private" plan={page.upsell} />)).toBe(page.first);
  expect(refusalOf(guide)).toBe('/searching');
});
