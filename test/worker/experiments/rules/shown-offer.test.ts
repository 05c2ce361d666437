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

it('shown offer: a paywall shows its own intro if the arm has none', () => {
  expect(shownOffer(paywall, visitor)).toMatchObject({
    plans: ['monthly_5d', 'quarterly'],
    after: ['monthly', 'quarterly'],
    expires: false,
  });
});

it('leaves the arm its own intro', () => {
  const own: Offer = { ...offer, plans: ['monthly_7d', 'monthly'] };
  const shown = shownOffer(paywall, { ...visitor, offer: own });
  expect([shown.plans, shown.after]).toEqual([['monthly_7d', 'monthly'], ['monthly']]);
});

it('shown offer: a full-price arm keeps its prices', () => {
  const shown = shownOffer(paywall, { ...visitor, arm: 'fullPrice' });
  expect([shown.plans, shown.after]).toEqual([['monthly', 'quarterly'], []]);
});

it('shown offer: outside its flow a paywall shows its own intro', () => {
  const looker = { ...visitor, arm: 'fullPrice', flow: flows.default };
  expect(shownOffer(paywall, looker).plans).toEqual(['monthly_5d', 'quarterly']);
});

it('shown offer: the configured plans follow an expired offer', () => {
  const own: Offer = { ...offer, plans: ['monthly_7d'], after: ['quarterly'] };
  const shown = shownOffer('checkout_v3_tr', { ...visitor, offer: own });
  expect([shown.after, shown.expires]).toEqual([['quarterly'], true]);
});

it('shown offer: all families, once each, with the full price of intros', () => {
  const whole: Offer = { ...offer, plans: ['monthly_7d', 'quarterly'], after: ['quarterly'] };
  expect(familiesOf(whole)).toEqual([
    'monthly_7d',
    'quarterly',
    'monthly',
    'upsell_monthly_999',
    'guide_1799',
  ]);
});
