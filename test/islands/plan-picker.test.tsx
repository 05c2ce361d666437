import { expect, it } from 'vitest';
import PlanPicker, { wordsOf as wordsOfPlan } from '../../islands/plan-picker.tsx';
import { planOf, viewOf } from '../../worker/funnel/plans.ts';
import { renewals } from '../renewals.ts';
import { htmlOf, intro, quarterly, text, wordsOf } from './html.tsx';

const words = text['plan-picker'];
const html = htmlOf(<PlanPicker text={words} plans={[intro, quarterly]} language="en" />);

it('is radios named plan, the first one chosen, in no form of its own', () => {
  expect(html.match(/<input[^>]*name="plan"[^>]*value="[\w]+"/g)).toHaveLength(2);
  expect(html.match(/checked=""/g)).toHaveLength(1);
  expect(html.indexOf('checked')).toBeLessThan(html.indexOf('quarterly_usd'));
  expect(html).not.toContain('<form');
});

it('says what is paid today and what follows', () => {
  expect(wordsOf(html)).toContain('7-day intro then $39.99 every month $6.99');
  expect(wordsOf(html)).toContain('Save 50% 3 months renews every 3 months $59.99');
});

it('words each kind of plan', () => {
  const guide = viewOf(planOf('guide_1799', 'EUR'), renewals);
  expect(wordsOfPlan(guide, words, 'en')).toMatchObject({
    title: 'One payment',
    renewal: 'no renewal',
    period: 'once',
    oldPrice: '€37.99',
    oldPriceSpoken: 'Before: €37.99',
  });
  expect(wordsOfPlan(viewOf(planOf('monthly', 'USD'), renewals), words, 'en')).toMatchObject({
    title: 'Monthly',
    renewal: 'renews every month',
    label: undefined,
    oldPrice: undefined,
  });
});

it('says for how long an intro lasts, and stands upright where plans are side by side', () => {
  const five = viewOf(planOf('monthly_5d', 'USD'), renewals);
  const row = htmlOf(<PlanPicker text={words} plans={[five, quarterly]} language="en" upright />);
  expect(wordsOf(row)).toContain('5-day intro then $39.99 every month $4.99');
  expect(wordsOf(row)).toContain('for 5 days $1.00 a day');
  expect(row.match(/_upright/g)).toHaveLength(3);
});
