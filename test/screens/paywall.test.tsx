import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Paywall } from '../../screens/paywall.tsx';
import { htmlOf, page, props, wordsOf } from './page-fixture.tsx';

const html = htmlOf(<Paywall {...props} hero="map" reviews primaryMethod="card" />);

it('paywall: shows plans first, costs and card after Continue', () => {
  const at = (mark: string) => html.indexOf(mark);
  expect(at('name="plan"')).toBeLessThan(at('id="pay"'));
  expect(at('id="pay"')).toBeLessThan(at('Your order'));
  expect(html).toMatch(/<a[^>]*id="continue-button"[^>]*href="#pay"/);
  expect(html).toMatch(/<button[^>]*id="pay-button"/);
});

it('paywall: shows today’s price and the renewal beside the button', () => {
  const bar = html.slice(html.indexOf('data-bar'), html.indexOf('id="continue-button"'));
  expect(wordsOf(`<${bar}`)).toContain('$6.99 for 7 days, then');
  expect(wordsOf(`<${bar}`)).toContain('$59.99 today, then every 3 months');
  expect(wordsOf(html)).toContain('7-day intro then $39.99 every month');
});

it('paywall: opens by an empty island or the URL, and hides nothing without CSS :has', () => {
  const css = readFileSync('screens/parts/layout.module.css', 'utf8');
  expect(css).toMatch(
    /@supports selector\(:has\(\*\)\) \{\s+main:has\(x-island\[name="reveal-checkout"\]:not\(:empty, \[data-buffered\]\)\)\s+\.order:not\(:target, :has\(:target\)\) \{\s+display: none/,
  );
});

it('paywall: marks sample reviews, none in production', () => {
  expect(wordsOf(html).match(/Sample review/g)).toHaveLength(2);
  const live = { ...props, page: { ...page, isTestMode: false } };
  const production = htmlOf(<Paywall {...live} hero="map" reviews primaryMethod="card" />);
  expect(production).not.toMatch(/sample review|x-island name="review-carousel"/i);
});

it('paywall: has one leading benefit, or none', () => {
  const alerts = htmlOf(<Paywall {...props} hero="alerts" reviews={false} primaryMethod="card" />);
  expect(wordsOf(alerts)).toContain('When they arrive, you know');
  expect(wordsOf(alerts)).not.toContain('One map for both');
  const none = htmlOf(<Paywall {...props} hero={null} reviews={false} primaryMethod="card" />);
  expect(wordsOf(none)).not.toMatch(/When they arrive, you know|One map for both/);
});
