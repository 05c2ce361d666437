import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { cancelOffers, cancelReasons } from '../../../../../worker/catalog/rules/cancel-offers.ts';
import {
  offerFormOf,
  offerIn,
  offerKeyOf,
  withOffer,
} from '../../../../../worker/console/documents/rules/offer-form.ts';
import { builtInDocuments } from '../../../../../worker/experiments/rules/config-documents.ts';
import { offerSchema } from '../../../../../worker/experiments/rules/config-schema.ts';

const plan = fc.constantFrom('monthly', 'quarterly', 'monthly_7d', 'monthly@2', 'quarterly@12');
const plans = (minLength: number) => fc.uniqueArray(plan, { minLength });
const answer = fc.constantFrom(...cancelOffers);
const offer = fc
  .record(
    {
      plans: plans(1),
      after: plans(0),
      upsell: fc.constant('upsell_monthly_999'),
      guide: fc.constant('guide_1799'),
      isSelected: fc.boolean(),
      cancel: fc.record(Object.fromEntries(cancelReasons.map((reason) => [reason, answer]))),
    },
    { requiredKeys: ['plans', 'upsell', 'guide', 'isSelected'] },
  )
  .map(({ isSelected, ...own }) => ({ ...own, ...(isSelected && { preselect: own.plans[0] }) }));
const configWith = (offers: object) => JSON.stringify({ experiment: 'x', offers, coupons: {} });

const asSent = (form: ReturnType<typeof offerFormOf>) =>
  new URLSearchParams([
    ...['key', 'preselect', 'upsell', 'guide'].map((name) => [
      name,
      String(form[name as 'preselect']),
    ]),
    ...[...form.plans, '', ''].map((one) => ['plans', one]),
    ...[...form.after, ''].map((one) => ['after', one]),
    ...Object.entries(form.cancel),
  ]);

test('offer form: a form without a change changes nothing', () => {
  fc.assert(
    fc.property(offer, (own) => {
      const config = configWith({ fullPrice: own });
      expect(withOffer(config, offerIn(asSent(offerFormOf(config, 'fullPrice'))))).toBe(config);
    }),
  );
});

test('offer form: every valid offer survives its form', () => {
  fc.assert(
    fc.property(offer, (own) => {
      const form = offerIn(asSent(offerFormOf(configWith({ fullPrice: own }), 'fullPrice')));
      const { offers } = JSON.parse(withOffer(configWith({ other: own }), form));
      const isBuiltIn = JSON.stringify(form) === JSON.stringify(offerFormOf('{}', 'fullPrice'));
      if (!isBuiltIn) {
        expect(v.parse(offerSchema, offers.fullPrice)).toEqual(v.parse(offerSchema, own));
      }
      expect(offers.other).toEqual(own);
    }),
  );
});

test('offer form: a variant edits its own offer, else that of its type, else a new one', () => {
  const own = { plans: ['monthly'], upsell: 'u', guide: 'g' };
  const config = configWith({ intro: own, 'intro/7d': own });
  expect(['intro/7d', 'intro/5d', 'short'].map((arm) => offerKeyOf(arm, config))).toEqual([
    'intro/7d',
    'intro',
    'short',
  ]);
  expect(offerFormOf(builtInDocuments['config.json'], 'short').plans).toEqual([
    'monthly',
    'quarterly',
  ]);
});
