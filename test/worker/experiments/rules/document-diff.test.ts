import { expect, test } from 'vitest';
import {
  type DocumentPair,
  validateDocuments,
} from '../../../../worker/experiments/rules/config-validation.ts';
import { documentDiff } from '../../../../worker/experiments/rules/document-diff.ts';
import { arm, configText, flowsText } from '../../../scripts/config/command-context.ts';

function pair(config = configText(), flows = flowsText()): DocumentPair {
  const read = validateDocuments(config, flows).pair;
  if (!read) throw new Error('not a pair');
  return read;
}

const offer = { plans: ['monthly'], upsell: 'upsell_monthly_799', guide: 'guide_1799' };

test('document diff: changed weights and flows, added and removed arms', () => {
  const before = pair(configText([arm('a', 50), arm('b', 30), arm('c', 20)]));
  const after = pair(configText([arm('a', 40), arm('b', 30, 'lp11ch8'), arm('d', 30)]));
  expect(documentDiff(before, after)).toEqual([
    'experiment: still e; results mix visitors of the old and the new weights',
    'variant a: weight 50 → 40',
    'variant b: flow default → lp11ch8',
    'variant d: added, weight 30; flow default',
    'variant c: removed, had weight 20; flow default',
  ]);
});

test('document diff: a new experiment assigns every visitor again', () => {
  const after = pair(configText(undefined, { experiment: 'f' }));
  expect(documentDiff(pair(), after)).toEqual([
    'experiment: e → f; every visitor is assigned again',
  ]);
});

test('document diff: shows a changed order of arms', () => {
  const one = pair(configText([arm('a', 50), arm('b', 50)]));
  const two = pair(configText([arm('b', 50), arm('a', 50)]));
  expect(documentDiff(one, two)).toEqual([
    'variants: order changed; this affects new visitors only',
  ]);
});

test('document diff: shows offers, flows, aliases and coupons', () => {
  const before = pair(
    configText(undefined, { offers: { fullPrice: offer }, coupons: { X: { percent: 5 } } }),
    flowsText({ short: ['one_pager', 'success'] }, { go: 'one_pager' }),
  );
  const after = pair(
    configText(undefined, {
      offers: {
        fullPrice: { ...offer, plans: ['monthly_7d', 'quarterly'], preselect: 'monthly_7d' },
      },
      coupons: { X: { percent: 10 } },
    }),
    flowsText({ default: ['one_pager', 'success'] }),
  );
  expect(documentDiff(before, after)).toEqual([
    'offer fullPrice: plans monthly → monthly_7d, quarterly',
    'offer fullPrice: preselect best value → monthly_7d',
    'flow default: screens one_pager, searching, signup, checkout_v3_tr, upsell_an_private, success → one_pager, success',
    'flow short: removed, had screens one_pager, success',
    'alias go: removed, had screen one_pager',
    'coupon X: terms {"percent":5} → {"percent":10}',
  ]);
});

test('document diff: without live documents everything is added except the built-in flows', () => {
  expect(documentDiff(null, pair())).toEqual([
    'experiment: added, e',
    'variant fullPrice: added, weight 100; flow default',
  ]);
});

test('document diff: other white space changes nothing', () => {
  expect(documentDiff(pair(), pair(`${configText()}\n`))).toEqual([]);
});
