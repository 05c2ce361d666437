import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Paywall } from '../../screens/paywall.tsx';
import { builtInCatalog } from '../../worker/catalog/rules/catalog.ts';
import { planView } from '../../worker/catalog/rules/plans.ts';
import { trialPlan } from '../worker/payments/trial-plan.ts';
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

it.each([
  ['monthly_7d', { introDays: 7 }, ['24 hours']],
  ['monthly_7d', { introDays: 14 }, ['24 hours', '7 days']],
  ['monthly', { introDays: 14 }, ['7 days']],
])('paywall: beside %s, a free plan of %j names the e-mail that is sent', (family, own, days) => {
  const day = () => 'December 1';
  const plans = [builtInCatalog.planOf(family, 'USD'), { ...trialPlan(), ...own }].map((plan) =>
    planView(plan, { renewal: day, reminder: day }),
  );
  const on = { ...props, page: { ...page, checkout: { ...page.checkout, plans } } };
  const free = htmlOf(<Paywall {...on} hero={null} reviews={false} primaryMethod="card" />);
  const cards = wordsOf(free.slice(free.indexOf('<fieldset'), free.indexOf('</fieldset')));
  const told = [...cards.matchAll(/We email you (.+?) before it renews/g)];
  expect(told.map(([, before]) => before)).toEqual(days);
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
