import type { ReactElement } from 'react';
import { expect, it } from 'vitest';
import { Upsell } from '../../screens/upsell.tsx';
import { builtInCatalog } from '../../worker/catalog/rules/catalog.ts';
import type { Currency } from '../../worker/catalog/rules/currencies.ts';
import type { PlanFamily, PlanView } from '../../worker/catalog/rules/plans.ts';
import { viewOf } from '../renewal-placeholders.ts';
import { htmlOf, page, props, wordsOf } from './page-fixture.tsx';

const guide = <Upsell {...props} offer="guide" plan={page.extras.guide} />;

it('upsell: sells the guide for a single payment', () => {
  const words = wordsOf(htmlOf(guide));
  expect(words).toContain('One-time payment');
  expect(words).toContain('Add for $17.99');
  expect(words).not.toMatch(/every month|Cancel anytime/);
});

it('upsell: strikes the list price where allowed', () => {
  expect(htmlOf(guide)).toMatch(/<s [^>]*>.*\$37\.99/);
  const plan = { ...page.extras.guide, listPrice: null };
  const bare = htmlOf(<Upsell {...props} offer="guide" plan={plan} />);
  expect(bare).not.toMatch(/<s |37\.99/);
  expect(wordsOf(bare)).toContain('One-time payment');
});

const upsellOf = (
  family: PlanFamily,
  currency: Currency = 'USD',
  change: Partial<PlanView> = {},
) => {
  const plan = { ...viewOf(builtInCatalog.planOf(family, currency)), ...change };
  return htmlOf(<Upsell {...props} offer="an_private" plan={plan} />);
};

it.each([
  ['upsell_monthly_999', 'USD', '30% off $9.99', 'Add for $6.99 every month'],
  ['upsell_quarterly_999', 'USD', '30% off $9.99', 'Add for $6.99 every 3 months'],
  ['upsell_monthly_999', 'EUR', '30% off €9.99', 'Add for €6.99 every month'],
] as const)(
  'upsell: %s in %s is described as %s, with %s on its button',
  (family, currency, less, button) => {
    const words = wordsOf(upsellOf(family, currency, { listPrice: null }));
    expect(words).toContain(`${less}, on every payment.`);
    expect(words).toContain(button);
  },
);

it('upsell: strikes the price before the coupon only where allowed', () => {
  expect(upsellOf('upsell_monthly_999')).toMatch(/<s [^>]*>.*\$9\.99/);
  expect(upsellOf('upsell_monthly_999', 'USD', { listPrice: null })).not.toContain('<s ');
});

it.each([
  'upsell_monthly_799',
  'upsell_monthly_599',
  'upsell_quarterly_799',
  'upsell_quarterly_599',
] as const)('upsell: %s shows its own price and no percentage', (family) => {
  const html = upsellOf(family);
  expect(html).not.toMatch(/<s |\d\s?%|9\.99/);
  expect(wordsOf(html)).toContain('Anonymous mode and private chat.');
});

it('upsell: shows heading before picture, and the scene of its add-on', () => {
  const html = htmlOf(<Upsell {...props} offer="an_private" plan={page.extras.upsell} />);
  expect(html.indexOf('<h1')).toBeLessThan(html.indexOf('<svg class="_smallPicture'));
  expect(html).toContain('data-scene="chat"');
  expect(htmlOf(guide)).toContain('data-scene="guide"');
});

it.each(['an_private', 'guide'] as const)(
  'upsell: %s without a plan names its offer and price',
  (offer) => {
    const words = wordsOf(htmlOf(<Upsell {...props} offer={offer} plan={page.extras.guide} />));
    const missing = words.slice(
      words.indexOf('Your plan comes first Then you can add this extra.'),
    );
    expect(missing).toContain(offer === 'guide' ? 'The family safety toolkit' : 'Private chat');
    expect(missing).toContain('$17.99, one-time payment');
  },
);

it('upsell: states the renewal and how to cancel', () => {
  const words = wordsOf(htmlOf(<Upsell {...props} offer="an_private" plan={page.extras.upsell} />));
  expect(words).toMatch(/Today, then every month \$7\.99 .*Cancel anytime/);
});

it('upsell: shows a page of the guide below the offer', () => {
  const guideSample = { title: 'Phones', part: 'When a phone is lost', list: ['Call it first.'] };
  const sold = { ...props, page: { ...page, extras: { ...page.extras, guideSample } } };
  const words = wordsOf(htmlOf(<Upsell {...sold} offer="guide" plan={page.extras.guide} />));
  expect(words).toContain('A page from the guide Phones When a phone is lost Call it first.');
  expect(words.indexOf('A page from')).toBeGreaterThan(words.indexOf('Add for $17.99'));
});

it('upsell: continues the flow; outside it returns to the guide, or leads to the plan', () => {
  const refusalOf = (screen: ReactElement) =>
    htmlOf(screen).match(/"next":"([^"]+)"|&quot;next&quot;:&quot;([^&]+)&quot;/)?.[2];
  const outside = {
    ...props,
    page: { ...page, flow: { ...page.flow, next: page.flow.firstPath } },
  };
  expect(refusalOf(<Upsell {...outside} offer="guide" plan={page.extras.guide} />)).toBe('/guide');
  expect(refusalOf(<Upsell {...outside} offer="an_private" plan={page.extras.upsell} />)).toBe(
    '/success',
  );
  expect(refusalOf(guide)).toBe('/searching');
});
