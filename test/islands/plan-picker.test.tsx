import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { planWords } from '../../islands/checkout/plan-words.ts';
import PlanPicker from '../../islands/plan-picker.tsx';
import { builtInCatalog } from '../../worker/catalog/rules/catalog.ts';
import { withPreselection } from '../../worker/catalog/rules/preselection.ts';
import { viewOf } from '../renewal-placeholders.ts';
import { htmlOf, intro, quarterly, text, wordsOf } from './render-html.tsx';

const words = text['plan-picker'];
const cycles = {
  month: ['Monthly', 'every month'],
  quarter: ['3 months', 'every 3 months'],
  week: ['Weekly', 'every week'],
  year: ['Yearly', 'every year'],
  once: ['One-time payment', 'No further payments'],
} as const;
type Props = Parameters<typeof PlanPicker>[0];
const picker = (plans: Props['plans'], more: Partial<Props> = {}) =>
  htmlOf(
    <PlanPicker
      text={words}
      cycles={cycles}
      plans={plans}
      plansAfterOffer={[]}
      language="en"
      {...more}
    />,
  );
const html = picker([intro, quarterly]);
const monthly = viewOf(builtInCatalog.planOf('monthly', 'USD'));

it('plan picker: renders radios named plan outside any form, the first checked', () => {
  expect(html.match(/<input[^>]*name="plan"[^>]*value="[\w]+"/g)).toHaveLength(2);
  expect(html.match(/checked=""/g)).toHaveLength(1);
  expect(html.indexOf('checked')).toBeLessThan(html.indexOf('quarterly_usd'));
  expect(html).not.toContain('<form');
});

it('plan picker: shows the price of today and the renewal', () => {
  expect(wordsOf(html)).toContain('7-day intro then $39.99 every month $6.99');
  expect(wordsOf(html)).toContain('3 months $20.00 a month billed $59.99 every 3 months $59.99');
  expect(wordsOf(html)).toContain('Save 50%');
});

it('plan picker: marks the best value, and checks the preselected plan', () => {
  const best = picker(withPreselection([intro, quarterly]));
  expect(wordsOf(best)).toContain('Best value 3 months');
  expect(wordsOf(best).match(/Best value/g)).toHaveLength(1);
  expect(
    /value="(\w+)"[^>]*checked/.exec(best) ?? /checked=""[^>]*value="(\w+)"/.exec(best),
  ).toEqual(expect.arrayContaining(['quarterly_usd']));
});

it('plan picker: the HTML contains the plans after the offer as a separate choice', () => {
  const both = picker([intro], { plansAfterOffer: [monthly, quarterly] });
  const radios = /type="radio"[^>]* name="(\w+)"( checked="")? value="(\w+)"/g;
  expect(
    [...both.matchAll(radios)].map(([, name, chosen, id]) => [name, id, Boolean(chosen)]),
  ).toEqual([
    ['plan', 'monthly_7d_usd', true],
    ['after', 'monthly_usd', true],
    ['after', 'quarterly_usd', false],
  ]);
  expect(html).not.toContain('name="after"');
});

it('plan picker: the countdown names its plan, the price that ends and the price after it, in a box that the loader fills; then it says so', () => {
  const successors = { plansAfterOffer: [monthly, quarterly], deadline: words };
  const counting = picker([intro, quarterly], successors);
  expect(wordsOf(counting)).toContain(
    '7-day intro · We’re holding the $6.99 price for 5:00 . After that, you pay $39.99 today.',
  );
  expect(wordsOf(counting)).toMatch(/The offer has ended\.$/);
  expect(counting.match(/data-fill="app.timer"/g)).toHaveLength(1);
  const alone = picker([intro, quarterly], { ...successors, plansAfterOffer: [quarterly] });
  expect(wordsOf(alone)).not.toContain('After that');
});

it('plan picker: shows one of the two sets in the same place', () => {
  const css = readFileSync('islands/plan-picker.module.css', 'utf8');
  expect(css).toMatch(/\.sets > \* \{\s+grid-area: 1 \/ 1/);
  expect(css).toMatch(/\.after,\s+\[data-order\]\[data-missing\] \.plan \{\s+visibility: hidden/);
  expect(css).toMatch(/\[data-order\]\[data-missing\] \.after \{\s+visibility: visible/);
});

it('plan picker: has a text for each kind of plan', () => {
  const guide = viewOf(builtInCatalog.planOf('guide_1799', 'EUR'));
  expect(planWords(guide, words, 'en', cycles)).toMatchObject({
    title: 'One-time payment',
    renewal: 'No further payments',
    oldPrice: '€37.99',
    oldPriceSpoken: 'Before: €37.99',
  });
  expect(
    planWords(viewOf(builtInCatalog.planOf('monthly', 'USD')), words, 'en', cycles),
  ).toMatchObject({
    title: 'Monthly',
    renewal: 'renews every month',
    label: undefined,
    saving: undefined,
    oldPrice: undefined,
  });
});

it('plan picker: shows the length of an intro; in a row its text is upright', () => {
  const five = viewOf(builtInCatalog.planOf('monthly_5d', 'USD'));
  const row = picker([five, quarterly], { narrowCards: true });
  expect(wordsOf(row)).toContain('5-day intro then $39.99 every month $4.99');
  expect(row.match(/_narrow/g)).toHaveLength(3);
});

it('plan picker: a saving names the monthly price, unless a plan beside it renews at that price', () => {
  const savingBeside = (plan: typeof quarterly) =>
    planWords(quarterly, words, 'en', cycles, [plan, quarterly]).saving;
  expect(savingBeside(monthly)).toBe('Save 50%');
  expect(savingBeside(intro)).toBe('Save 50%');
  expect(savingBeside(quarterly)).toBe('50% less than $39.99 a month');
  const row = picker([intro, quarterly], { narrowCards: true });
  const [, card = ''] = row.split('<label').slice(1);
  expect(wordsOf(`<label${card}`)).toContain('Save 50%');
});

it('plan picker: plans that begin alike are named by what they become', () => {
  const free = { ...intro, periodPrice: 0 };
  const [one, other] = [free, { ...free, id: quarterly.id, price: 2999 }];
  expect(planWords(one, words, 'en', cycles, [one, other])).toMatchObject({
    title: 'Monthly\u00a0· $39.99',
    renewal: '7 days free · renews every month',
  });
  expect(planWords(other, words, 'en', cycles, [one, other]).title).toBe('Monthly\u00a0· $29.99');
  expect(planWords(one, words, 'en', cycles, [one, intro])).toMatchObject({
    title: '7 days free',
    renewal: 'then $39.99 every month',
  });
});

it('plan picker: beside a longer plan in a row, a monthly one has the same lines', () => {
  const row = wordsOf(picker([monthly, quarterly], { narrowCards: true }));
  expect(row).toContain('Monthly $39.99 a month renews every month $39.99');
  expect(row).toContain('3 months $20.00 a month renews every 3 months $59.99');
  const alone = wordsOf(picker([monthly], { narrowCards: true }));
  expect(alone).toContain('Monthly renews every month $39.99');
});

it('plan picker: longer plans name their price per month, a weekly one does not', () => {
  const renewalOf = (period: 'week' | 'year', price: number) =>
    planWords({ ...monthly, period, price }, words, 'en', cycles).renewal;
  expect(renewalOf('year', 9900)).toBe('$8.25 a month, billed $99.00 every year');
  expect(renewalOf('week', 1499)).toBe('renews every week');
});
