import { expect, it } from 'vitest';
import type { Offer } from '../../../../worker/experiments/rules/config-documents.ts';
import { builtInFlows, type Flow } from '../../../../worker/experiments/rules/flows.ts';
import { familiesOf, shownOffer } from '../../../../worker/experiments/rules/shown-offer.ts';

const offer: Offer = {
  plans: ['monthly', 'quarterly'],
  after: [],
  upsell: 'upsell_monthly_999',
  guide: 'guide_1799',
};
const paywall = 'paycheck1_pr5_h_win';
const flows = builtInFlows as Record<'default' | 'lp17ch17pr5', Flow>;
const visitor = { arm: 'intro/5d', flow: flows.lp17ch17pr5, offer };

it('shows a paywall’s intro where the arm names no plans with one', () => {
  expect(shownOffer(paywall, visitor)).toMatchObject({
    plans: ['monthly_5d', 'quarterly'],
    after: ['monthly', 'quarterly'],
    ends: false,
  });
});

it('leaves the arm its own intro', () => {
  const own: Offer = { ...offer, plans: ['monthly_7d', 'monthly'] };
  const shown = shownOffer(paywall, { ...visitor, offer: own });
  expect([shown.plans, shown.after]).toEqual([['monthly_7d', 'monthly'], ['monthly']]);
});

it('leaves a full-price flow its prices', () => {
  const shown = shownOffer(paywall, { ...visitor, arm: 'fullPrice' });
  expect([shown.plans, shown.after]).toEqual([['monthly', 'quarterly'], []]);
});

it('shows what the screen is made for when it is looked at outside the flow', () => {
  const looker = { ...visitor, arm: 'fullPrice', flow: flows.default };
  expect(shownOffer(paywall, looker).plans).toEqual(['monthly_5d', 'quarterly']);
});

it('keeps what the configuration says comes after', () => {
  const own: Offer = { ...offer, plans: ['monthly_7d'], after: ['quarterly'] };
  const shown = shownOffer('checkout_v3_tr', { ...visitor, offer: own });
  expect([shown.after, shown.expires]).toEqual([['quarterly'], true]);
});

it('names every plan of an offer once, and the full price of each intro', () => {
  const whole: Offer = { ...offer, plans: ['monthly_7d', 'quarterly'], after: ['quarterly'] };
  expect(familiesOf(whole)).toEqual([
    'monthly_7d',
    'quarterly',
    'monthly',
    'upsell_monthly_999',
    'guide_1799',
  ]);
});
