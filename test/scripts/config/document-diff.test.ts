import { expect, test } from 'vitest';
import { documentDiff } from '../../../scripts/config/document-diff.ts';
import {
  type DocumentPair,
  validateDocuments,
} from '../../../worker/experiments/rules/config-validation.ts';
import { arm, configText, flowsText } from './world.ts';

function pair(config = configText(), flows = flowsText()): DocumentPair {
  const read = validateDocuments(config, flows).pair;
  if (!read) throw new Error('not a pair');
  return read;
}

const offer = { plans: ['monthly'], upsell: 'upsell_monthly_799', guide: 'guide_1799' };

test('weights and flows of arms, arms that come and go', () => {
  const before = pair(configText([arm('a', 50), arm('b', 30), arm('c', 20)]));
  const after = pair(configText([arm('a', 40), arm('b', 30, 'lp11ch8'), arm('d', 30)]));
  expect(documentDiff(before, after)).toEqual([
    'experiment: still e; results count visitors of old and new weights together',
    'arm a: weight 50 → 40',
    'arm b: flow default → lp11ch8',
    'arm d: new, weight 30; flow default',
    'arm c: gone, had weight 20; flow default',
  ]);
});

test('a new experiment draws everybody anew', () => {
  const after = pair(configText(undefined, { experiment: 'f' }));
  expect(documentDiff(pair(), after)).toEqual(['experiment: e → f; every visitor is drawn anew']);
});

test('the order of arms', () => {
  const one = pair(configText([arm('a', 50), arm('b', 50)]));
  const two = pair(configText([arm('b', 50), arm('a', 50)]));
  expect(documentDiff(one, two)).toEqual(['arms: in another order; only new visitors notice']);
});

test('offers, flows, aliases and coupons', () => {
  const before = pair(
    configText(undefined, { offers: { fullPrice: offer }, coupons: { X: { percent: 5 } } }),
    flowsText({ short: ['one_pager', 'success'] }, { go: 'one_pager' }),
  );
  const after = pair(
    configText(undefined, {
      offers: { fullPrice: { ...offer, plans: ['monthly_7d', 'quarterly'] } },
      coupons: { X: { percent: 10 } },
    }),
    flowsText({ default: ['one_pager', 'success'] }),
  );
  expect(documentDiff(before, after)).toEqual([
    'offer fullPrice: plans monthly → monthly_7d, quarterly',
    'flow default: screens one_pager, searching, signup, checkout_v3_tr, upsell_an_private, success → one_pager, success',
    'flow short: gone, had screens one_pager, success',
    'alias go: gone, had screen one_pager',
    'coupon X: terms {"percent":5} → {"percent":10}',
  ]);
});

test('a pair beside nothing is all new, but for the built-in flows', () => {
  expect(documentDiff(null, pair())).toEqual([
    'experiment: new, e',
    'arm fullPrice: new, weight 100; flow default',
  ]);
});

test('the same pair in other letters changes nothing', () => {
  expect(documentDiff(pair(), pair(`${configText()}\n`))).toEqual([]);
});
